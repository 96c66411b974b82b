//! How others reach the server: the addresses of this machine that it listens on.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Addresses of documentation (RFC 5737, RFC 3849), which nobody has: enough to ask which way packets to others would go.
const ELSEWHERE: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1))];

/// The pages of a server that listens here, as other machines open them: none if only this machine can.
pub(crate) fn from_elsewhere(listening: SocketAddr) -> Vec<String> {
    let ip = listening.ip();
    let addresses: Vec<IpAddr> = if ip.is_loopback() {
        Vec::new()
    } else if ip.is_unspecified() {
        ELSEWHERE
            .iter()
            .filter(|other| other.is_ipv4() || ip.is_ipv6())
            .filter_map(|&other| own(other))
            .collect()
    } else {
        vec![ip]
    };
    addresses.into_iter().map(|ip| page(SocketAddr::new(ip, listening.port()))).collect()
}

/// The page as this machine opens it.
pub(crate) fn from_here(listening: SocketAddr) -> String {
    let ip = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    page(SocketAddr::new(ip, listening.port()))
}

fn page(address: SocketAddr) -> String {
    format!("http://{address}/")
}

/// The own address from which packets to another machine would be sent. Nothing is sent: a datagram socket that is connected only
/// knows its way.
fn own(other: IpAddr) -> Option<IpAddr> {
    let any: IpAddr =
        if other.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    // Nine is the port that discards.
    socket.connect((other, 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn nobody_is_sent_to_an_address_that_leads_nowhere() {
        assert!(from_elsewhere(at("127.0.0.1:80")).is_empty() && from_elsewhere(at("[::1]:80")).is_empty());
        assert_eq!(from_elsewhere(at("192.168.1.7:8080")), ["http://192.168.1.7:8080/"]);
        assert_eq!(from_here(at("0.0.0.0:8080")), "http://127.0.0.1:8080/");
        assert_eq!(from_here(at("[::]:8080")), "http://[::1]:8080/");
        assert_eq!(from_here(at("192.168.1.7:8080")), "http://192.168.1.7:8080/");
        for page in from_elsewhere(at("0.0.0.0:8080")).iter().chain(&from_elsewhere(at("[::]:8080"))) {
            assert!(!page.contains("0.0.0.0") && !page.contains("//[::]"), "{page}");
        }
    }
}

// A link as a QR code, for a phone's camera. The library comes when a code is shown.

import { useEffect, useState } from 'preact/hooks';

/** Light squares around the code, as the standard wants (ISO/IEC 18004, 6.3.8). */
const MARGIN = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    let here = true;
    void import('lean-qr').then(
      ({ generate }) => {
        const { size, get } = generate(text);
        let path = '';
        for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if (get(x, y)) path += `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`;
        if (here) setCode({ size: size + 2 * MARGIN, path });
      },
      // The link stands beside it.
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [text]);
  if (!code) return null;
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${code.size} ${code.size}`} shape-rendering="crispEdges">
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}

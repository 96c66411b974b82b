// Several PNG pictures of one size as one that moves: an animated PNG, which shows its first frame where that is not known.
//
// The frames' own compressed data are taken over; only chunks are written anew (PNG 3rd edition, section 11.3.6: acTL, fcTL, fdAT).

import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

function chunksOf(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG');
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

const numbers = (...values) => {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32BE(value, index * 4));
  return data;
};

/** Frames `{ png, ms }`, all of the first one's size. */
export function animated(frames) {
  const [first] = frames;
  const header = chunksOf(first.png).find(({ type }) => type === 'IHDR').data;
  const out = [SIGNATURE, chunk('IHDR', header), chunk('acTL', numbers(frames.length, 0))];
  let sequence = 0;
  frames.forEach(({ png, ms }, index) => {
    const chunks = chunksOf(png);
    if (!chunks.find(({ type }) => type === 'IHDR').data.equals(header)) throw new Error(`frame ${index + 1} has another form than the first`);
    const times = Buffer.alloc(6);
    times.writeUInt16BE(ms, 0);
    times.writeUInt16BE(1000, 2);
    out.push(chunk('fcTL', Buffer.concat([numbers(sequence++, header.readUInt32BE(0), header.readUInt32BE(4), 0, 0), times])));
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((each) => each.data));
    out.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([numbers(sequence++), data])));
  });
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))]);
}

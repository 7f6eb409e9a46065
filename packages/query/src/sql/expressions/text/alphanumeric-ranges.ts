/**
 * Ranges of code points that PostgreSQL treats as letters and digits (Unicode 15.0, as in the C library of Debian 12).
 * Each is the distance from the end of the previous range and, after a point, its length minus one, in base 36.
 */
const alphanumeric = `
  1c.9 8.p 7.p 1c b 5 6.m 2.u 2.cp 5.b f.4 8 2 2f 17.4 2.1 3.3 2 7 2.2 2 2.j 2.2a 2.3u 9.4l 2.11 3 7.14 14.d 2
  2.1 2.1 2 9.q 5.3 u.a 6.1j 2.g 5.2t 2.7 5.7 5.f 3 h.1b e.2s f.16 a.1 5 6.n 3.i k.o 8.a 6.n 2.5 i.15 b.b 4.6
  7.23 2.f 2.2 5.e 3.9 2.i 2.7 3.1 3.l 2.6 2 4.3 4.7 3.1 3.1 2 9 5.1 2.4 3.b b 5.2 2.5 5.1 3.l 2.6 2.1 2.1 2.1
  5.4 5.1 3.1 5 8.3 2 8.f c.2 2.8 2.2 2.l 2.6 2.1 2.4 4.8 2.2 2.1 4 g.3 3.9 a.3 5.2 2.7 3.1 3.l 2.6 2.1 2.4
  4.7 3.1 3.1 a.1 5.1 2.4 3.9 2 h.1 2.5 4.2 2.3 4.1 2 2.1 4.1 4.2 4.b 5.4 4.2 2.2 4 7 f.9 h.3 2.7 2.2 2.m 2.f
  4.7 2.2 2.2 9.1 2.2 3 3.3 3.9 h.3 2.7 2.2 2.m 2.9 2.4 4.7 2.2 2.2 9.1 7.1 2.3 3.9 2.1 e.c 2.2 2.14 3.7 2.2
  2.2 2 6.3 8.4 3.9 b.5 2.2 2.h 4.n 2.8 2 3.6 9.5 2 2.7 7.9 3.1 e.1l 6.6 7 3.9 14.1 2 2.4 2.n 2 2.i 2.2 3.4 2
  7 3.9 3.3 x w.9 n.7 2.z 5.g 7.f 2.z 1w.1i 2 3.e 7.25 3.11 2 6 3.16 2.98 2.3 3.6 2 2.3 3.14 2.3 3.w 2.3 3.6 2
  2.3 3.e 2.1k 2.3 3.1u 12.f h.2d 3.5 4.h7 3.g 2.p 6.22 4.a 8.j c.k d.j d.c 2.2 2.1 d.1f 3.i f 5 4.9 13.9 7.2g
  8.16 6.1x b.u 2.b 5.8 e.13 3.4 c.17 5.p 7.9 13.r 5.1q 3.j c.9 7.9 e o.1 c.2 1e.1f 2.e 2.7 4.9 13.15 3.1l 2.a
  f.1i a.9 4.1c 3.8 8.16 3.2 16.3 2.5 2.1 4 6.5b 14.d c.7p 3.5 3.11 3.5 3.7 2 2 2 2.u 3.1g 2.6 2 4.2 2.6 4.3
  3.5 5.c 6.2 2.6 39 e h.c 2u 5 3.9 2 4.4 7 2 2 2.3 2.a 3.3 6.4 5 i.14 mm.1f 1ef.6c 7.3 4.1 d.11 2 6 3.1j 8
  h.m a.6 2.6 2.6 2.6 2.6 2.6 2.6 2.6 2.v 1c d2.2 q.8 8.4 3.4 5.2d 7.2 2.2h 2.3 6.16 2.2l i.v 1d.f e9.533
  1t.h3g 1w.19 3.7g 4.r l.1a 6.7 4.34 14.8 3.2u 3.1r 6.1 2 2.4 p.j 2.w p.1f d.1v 2 b.9 p.5 4 2.19 6.y e.s 4.1e
  2.b g.a 7.u 2.1i a.d 3.9 7.m 4.1w 2 2 p.2 3.f 3.3 c.5 3.5 3.5 a.6 2.6 2.16 2.d 7.3e 6.9 7.8mb d.m 5.1c
  6it.a5 3.2x 13.6 d.4 6.b 2.c 2.4 2 2.1 2.1 2.2z y.a2 j.1r 3.1h 15.b 39.4 2.3q k.9 8.p 7.p c.2g 4.5 3.5 3.5
  3.2 10.b 2.p 2.i 2.1 2.e 3.d z.3e 1y.1g 7g.s 4.1c 1c.v e.t 6.16 6.t 3.z 5.7 2.4 17.4d 3.9 7.z 5.z 5.13 9.1f
  d.a 2.e 2.6 2.1 2.a 2.e 2.6 2.1 1w.8m a.l b.7 p.5 2.15 2.8 1y.5 3 2.17 2.1 4 3.m b.m a.u 1u.i 2.1 b.l b.p
  1z.1j 7.1 1t.3 2.1 6.7 2.2 2.s 17.s 4.s 10.7 2.r s.1h b.l b.i e.h 33.20 1k.1e e.1e e.13 9.9 93.15 2.1 4.1
  27.s b 9.l 17.h 1b.k s.m a.1x x.9 2.4 d.1i a e.o 8.9 7.1e 4.9 5.3 9.y 4 a.1r 2.3 a.c 2 10.h 2.x 3 7 1u.6 2
  2.3 2.e 2.9 8.1k 8.9 7.3 2.7 3.1 3.l 2.6 2.1 2.4 4.7 3.1 3.1 4 7 6.6 4d.1t 2.2 2.3 6.9 6.2 v.1t 3.1 2 9.9
  4n.1h 3.6 q.5 z.1q 2 4 c.9 13.1h 3 8.9 1j.q 3.d 6.9 7.6 56.1k 2w.21 m.7 3 3.7 2.1 2.t 2.1 3.1 3.3 e.9 1z.7
  3.19 3.5 2 2.1 s.1e 3.9 i.1z 6 j.20 7c.8 2.18 2.6 2 g.9 p.t 3.l 2.d 22.6 2.1 2.17 4 2.1 2.2 2 3.1 9.9 7.5
  2.1 2.10 2.1 2.3 2 8.9 8n.m 56 28.pl 2v.32 i.5f 219.2o g.tq 34i.g6 6nu.fs 8.u 2.9 7.26 2.9 7.t j.1b h.3 d.9
  a.k 6.i j5.1r 3l.22 5.1k 8.g 1t.1 2 d.1 f.4qf 9.yd 17.8 6w8.3 2.6 2.1 2.82 1a.2 i.3 9.az 1s5.2y 6.c 4.8 8.9
  5 4ma.2c 2.1y 2.1 3 3.1 3.3 2.b 2 2.6 2.1s 2.3 3.7 2.6 2.r 2.3 2.4 2 4.6 2.9f 3.o 2.o 2.u 2.o 2.u 2.o 2.u
  2.o 2.u 2.o 2.7 3.1d 1dt.u 6a.6 2.g 3.6 2.1 2.4 5y.18 b.6 3.9 5 8y.t j.17 5.9 yv.6 2.3 2.1 2.e 2.5g 1o.1v 4
  4 5.9 x3.3 2.q 2.1 2 3 2.9 2.3 2 2 7 5 2 2 2.2 2.1 2 3 2 2 2 2 2.1 2 3.3 2.6 2.3 2.3 2 2.9 2.g 6.2 2.4 2.g
  hh.p 7.p 7.p 21z.9 sn.wyn x.37c 8.65 3.4g1 f.5rk 2e8.f1 15v.3t6
`;

const decode = (text: string): readonly (readonly [number, number])[] => {
  let last = 0;
  return text
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [distance = '', length = '0'] = part.split('.');
      const first = last + parseInt(distance, 36);
      last = first + parseInt(length, 36);
      return [first, last] as const;
    });
};

/** Letters and digits: `[[:alnum:]]`, and `\\w` without the underscore. */
export const alphanumericRanges = decode(alphanumeric);

import sharp from 'sharp'

/** Drawings of 600 by 600, in the place of photographs. */
const drawings: { name: string; alt: string; background: string; shapes: string }[] = [
  {
    name: 'simit',
    alt: 'A sesame ring on a yellow ground',
    background: '#f7c873',
    shapes: `<ellipse cx="300" cy="330" rx="205" ry="190" fill="#00000018"/>
      <circle cx="300" cy="300" r="150" fill="none" stroke="#a5561c" stroke-width="92"/>
      <circle cx="300" cy="296" r="150" fill="none" stroke="#c9752d" stroke-width="66"/>
      <g fill="#fbe7b8">${seeds(300, 296, 150, 54)}</g>`,
  },
  {
    name: 'loaf',
    alt: 'A round loaf with three cuts',
    background: '#e9ded1',
    shapes: `<ellipse cx="300" cy="430" rx="220" ry="34" fill="#00000018"/>
      <path d="M90 400 C90 230 190 160 300 160 S510 230 510 400 C510 440 470 450 300 450 S90 440 90 400Z" fill="#9a5b26"/>
      <path d="M110 392 C112 240 205 178 300 178 S488 240 490 392 C490 424 450 432 300 432 S110 424 110 392Z" fill="#c98843"/>
      <g stroke="#f2d6a4" stroke-width="20" stroke-linecap="round" fill="none">
      <path d="M190 250 Q215 300 205 360"/><path d="M290 225 Q312 290 300 365"/><path d="M388 250 Q402 305 388 360"/></g>`,
  },
  {
    name: 'coffee',
    alt: 'A cup of coffee seen from above',
    background: '#9cc5b5',
    shapes: `<circle cx="306" cy="318" r="200" fill="#00000018"/><circle cx="300" cy="300" r="198" fill="#fdfaf5"/>
      <rect x="468" y="272" width="100" height="56" rx="28" fill="#fdfaf5"/>
      <circle cx="300" cy="300" r="142" fill="#e9dfd2"/><circle cx="300" cy="300" r="128" fill="#5b3420"/>
      <path d="M300 376 C228 320 232 252 276 252 C292 252 300 266 300 276 C300 266 308 252 324 252 C368 252 372 320 300 376Z" fill="#d9a878"/>`,
  },
  {
    name: 'cake',
    alt: 'A slice of cherry cake',
    background: '#f3b6b0',
    shapes: `<ellipse cx="300" cy="462" rx="210" ry="30" fill="#00000018"/>
      <path d="M130 250 L470 210 L470 300 L130 330Z" fill="#fff4ea"/><path d="M130 330 L470 300 L470 350 L130 376Z" fill="#c4455a"/>
      <path d="M130 376 L470 350 L470 440 L130 456Z" fill="#f6d9a8"/><path d="M130 250 L300 180 L470 210Z" fill="#fffaf4"/>
      <circle cx="318" cy="176" r="40" fill="#b3203d"/><circle cx="305" cy="162" r="10" fill="#ffffff90"/>
      <path d="M322 138 Q340 92 384 84" stroke="#5d7a3c" stroke-width="9" fill="none" stroke-linecap="round"/>`,
  },
  {
    name: 'oven',
    alt: 'Flames in a stone oven',
    background: '#4b5a74',
    shapes: `<path d="M70 500 V290 C70 150 180 80 300 80 S530 150 530 290 V500Z" fill="#8b95a7"/>
      <path d="M140 500 V310 C140 200 220 150 300 150 S460 200 460 310 V500Z" fill="#1f2430"/>
      <path d="M220 500 C190 420 250 390 240 320 C290 350 300 380 296 410 C320 380 318 340 308 300 C380 350 420 430 382 500Z" fill="#ef8a32"/>
      <path d="M262 500 C246 450 284 430 284 396 C318 430 352 450 336 500Z" fill="#fbd36b"/>`,
  },
  {
    name: 'tea',
    alt: 'A glass of tea on a red saucer',
    background: '#c9d9ef',
    shapes: `<ellipse cx="300" cy="490" rx="200" ry="36" fill="#b8323b"/><ellipse cx="300" cy="482" rx="150" ry="22" fill="#d8525a"/>
      <path d="M214 130 H386 C388 220 348 250 348 300 S384 400 366 470 H234 C216 400 252 350 252 300 S212 220 214 130Z" fill="#ffffffb0"/>
      <path d="M222 190 H378 C374 240 338 262 338 302 S368 400 354 458 H246 C232 400 262 352 262 302 S226 240 222 190Z" fill="#b4471d"/>`,
  },
]

/** Places seeds on a ring, the same ones each time. */
function seeds(x: number, y: number, radius: number, count: number) {
  const all = Array.from({ length: count }, (_, index) => {
    const angle = index * 2.399963
    const distance = radius + ((index * 37) % 48) - 24
    const [left, top] = [x + Math.cos(angle) * distance, y + Math.sin(angle) * distance]
    return `<ellipse cx="${left.toFixed(0)}" cy="${top.toFixed(0)}" rx="9" ry="5" transform="rotate(${(index * 53) % 180} ${left.toFixed(0)} ${top.toFixed(0)})"/>`
  })
  return all.join('')
}

/** The drawings as JPEG files, with their alternative texts. */
export const drawImages = () =>
  Promise.all(
    drawings.map(async ({ name, alt, background, shapes }) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200" viewBox="0 0 600 600">
        <rect width="600" height="600" fill="${background}"/>${shapes}</svg>`
      return { name: `${name}.jpg`, alt, bytes: await sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer() }
    }),
  )

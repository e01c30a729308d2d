type Colours = { background: string; foreground: string }

/** Calm colours by the category of the agent. */
const palettes: Record<string, Colours> = {
  content: { background: '#e6edf5', foreground: '#17304a' },
  shop: { background: '#f6e9e0', foreground: '#4a2413' },
  services: { background: '#e4efe6', foreground: '#16302b' },
  food: { background: '#faf0d9', foreground: '#46320a' },
  support: { background: '#e5f0f2', foreground: '#12343b' },
  seasonal: { background: '#f5e4e6', foreground: '#4d1626' },
  software: { background: '#eae8f5', foreground: '#2a2350' },
  brand: { background: '#efeae4', foreground: '#33291d' },
  events: { background: '#fbe8dd', foreground: '#54240c' },
  hiring: { background: '#e9f0dc', foreground: '#2b3a10' },
}
const other: Colours = { background: '#ebecee', foreground: '#22262b' }

/** Contrast that large letters need at least, and these have more. */
const READABLE = 4.5
const DARK = '#16181b'
const LIGHT = '#ffffff'

/** Relative luminance, as WCAG defines it. */
function luminance(colour: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, another: string) {
  const [low = 0, high = 0] = [luminance(one), luminance(another)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/**
 * Colours of the cards of an agent: those that its style names as `#rrggbb`, first that of the background, or else those
 * of its category. Letters that could not be read become dark or light.
 */
export function cardColours({ image_style, category }: { image_style: string; category: string }): Colours {
  const [background, foreground] = image_style.toLowerCase().match(/#[0-9a-f]{6}\b/g) ?? []
  if (background === undefined) return palettes[category] ?? other
  if (foreground !== undefined && contrast(background, foreground) >= READABLE) return { background, foreground }
  return { background, foreground: contrast(background, DARK) >= contrast(background, LIGHT) ? DARK : LIGHT }
}

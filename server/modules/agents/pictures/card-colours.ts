type Colours = { paper: string; ink: string }

/** Calm colours by the category of the agent. */
const palettes: Record<string, Colours> = {
  content: { paper: '#e6edf5', ink: '#17304a' },
  shop: { paper: '#f6e9e0', ink: '#4a2413' },
  services: { paper: '#e4efe6', ink: '#16302b' },
  food: { paper: '#faf0d9', ink: '#46320a' },
  support: { paper: '#e5f0f2', ink: '#12343b' },
  seasonal: { paper: '#f5e4e6', ink: '#4d1626' },
  software: { paper: '#eae8f5', ink: '#2a2350' },
  brand: { paper: '#efeae4', ink: '#33291d' },
  events: { paper: '#fbe8dd', ink: '#54240c' },
  hiring: { paper: '#e9f0dc', ink: '#2b3a10' },
}
const other: Colours = { paper: '#ebecee', ink: '#22262b' }

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
  const [paper, ink] = image_style.toLowerCase().match(/#[0-9a-f]{6}\b/g) ?? []
  if (paper === undefined) return palettes[category] ?? other
  if (ink !== undefined && contrast(paper, ink) >= READABLE) return { paper, ink }
  return { paper, ink: contrast(paper, DARK) >= contrast(paper, LIGHT) ? DARK : LIGHT }
}

/** Colors are `#rrggbb`. */

/** Mixes two colors in sRGB; `share` of the second, 0 to 1. */
export function mix(first: string, second: string, share: number): string {
  const [a, b] = [channels(first), channels(second)]
  return `#${a
    .map((value, index) => Math.round(value + ((b[index] ?? 0) - value) * share))
    .map(value => value.toString(16).padStart(2, '0'))
    .join('')}`
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** The color, darkened or lightened until its contrast with the background is enough. */
export function readable(color: string, background: string, ratio: number): string {
  const goal = luminance(background) > 0.18 ? '#000000' : '#ffffff'
  for (let step = 0; step <= 20; step += 1) {
    const candidate = mix(color, goal, step / 20)
    if (contrast(candidate, background) >= ratio) return candidate
  }
  return goal
}

/** Relative luminance of WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}

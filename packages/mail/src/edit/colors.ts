/** A color as red, green and blue from 0 to 255. */
export type Color = readonly [number, number, number]

/** Reads an opaque color of CSS; null for what cannot be computed here: transparency, gradients, variables. */
export function readColor(text: string): Color | null {
  const value = text.trim().toLowerCase()
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const digits = hex.length === 6 ? hex : hex.replaceAll(/./g, '$&$&')
    return [0, 2, 4].map(at => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Color
  }
  const [, ...parts] = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(value) ?? []
  if (parts.length === 3) return parts.map(part => Math.min(255, Number(part))) as unknown as Color
  return named[value] ?? null
}

const named: Readonly<Record<string, Color>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  silver: [192, 192, 192],
}

/** Contrast of two colors from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastOf(one: Color, other: Color): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * The color nearest to a text color that is readable on a background: mixed with black or white, in steps of 2 %.
 * @returns `#rrggbb`; one of black and white always has a contrast of 4.5
 */
export function readableColor(text: Color, background: Color, contrast: number): string {
  for (let share = 0; share <= 1; share += 0.02)
    for (const target of [0, 255]) {
      const mixed = text.map(part => Math.round(part + (target - part) * share)) as unknown as Color
      if (contrastOf(mixed, background) >= contrast) return hexOf(mixed)
    }
  return contrastOf([0, 0, 0], background) >= contrastOf([255, 255, 255], background) ? '#000000' : '#ffffff'
}

export function hexOf(color: Color): string {
  return `#${color.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

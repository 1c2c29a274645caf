import { type BrandValues, mailFonts } from '../client-brand.ts'
import type { Row } from '../resource-schemas.ts'
import type { webform, WebformStyle } from '../resources/webform.ts'

export type StyledForm = Pick<Row<typeof webform>, 'style' | 'modal_size'> & { brand: BrandValues }

const widths = { sm: 24, md: 32, lg: 44 }

/**
 * Style sheet of a form; the brand gives what its style leaves open. Contains no foreign text: colours, numbers and
 * names are checked by the contract.
 */
export function formCss({ style, modal_size, brand }: StyledForm): string {
  const { color, text_color, background, font, radius } = completeStyle(style, brand)
  return `.emma{box-sizing:border-box;position:relative;max-width:${widths[modal_size]}rem;margin:0 auto;padding:1.5rem;background:${background};color:${text_color};border-radius:${radius}px;font:1rem/1.5 ${font};text-align:left;overflow-wrap:anywhere}
.emma *{box-sizing:border-box;font:inherit;color:inherit}
.emma h1,.emma h2{margin:0 0 .5rem;font-size:1.375rem;font-weight:700;line-height:1.25}
.emma p{margin:0 0 1rem;white-space:pre-line}
.emma fieldset{margin:0;padding:0;border:0;min-width:0}
.emma .field{margin:0 0 1rem}
.emma label,.emma .label{display:block;margin:0 0 .25rem;font-weight:600}
.emma .check{display:grid;grid-template-columns:auto 1fr;gap:0 .6rem}
.emma .check label{font-weight:400}
.emma .check .error{grid-column:2}
.emma .choice label{font-weight:400;padding:.25rem 0}
.emma a{text-decoration:underline}
.emma input:not([type=checkbox],[type=radio]),.emma select,.emma textarea{display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid ${mixed(text_color, background)};border-radius:${Math.min(radius, 20)}px;background:${background};color:${text_color}}
.emma textarea{min-height:6rem;resize:vertical}
.emma input[type=radio]{width:1.25rem;height:1.25rem;margin:0 .35rem 0 0;vertical-align:-.25rem;accent-color:${color}}
.emma input[type=checkbox]{width:1.25rem;height:1.25rem;margin:.15rem 0 0;accent-color:${color}}
.emma [aria-invalid=true]{border-color:${dangerOn(background)};border-width:2px}
.emma .error,.emma .notice{margin:.25rem 0 0;color:${dangerOn(background)};font-weight:600}
.emma .notice{margin:0 0 1rem}
.emma .error:empty,.emma .notice:empty,.emma [hidden]{display:none}
.emma .extra{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
.emma .actions{display:flex;flex-wrap:wrap;gap:.75rem}
.emma button{min-height:2.75rem;padding:.6rem 1.25rem;border:1px solid ${color};border-radius:${radius}px;background:${color};color:${readableOn(color)};font-weight:600;cursor:pointer}
.emma button.plain{background:transparent;border-color:currentColor;color:${text_color}}
.emma button[disabled]{opacity:.6;cursor:default}
.emma :focus-visible{outline:3px solid ${color};outline-offset:2px}
`
}

/** Colours, font stack, and radius in pixels. */
export function completeStyle(style: WebformStyle, brand: BrandValues) {
  return {
    color: style.color ?? brand.button_color,
    text_color: style.text_color ?? brand.text_color,
    background: style.background ?? '#ffffff',
    font: style.font === null ? brand.font : mailFonts[style.font],
    radius: style.radius ?? Number.parseInt(brand.radius, 10),
  }
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2, 1.4.3). */
export function contrast(first: string, second: string): number {
  const [high = 0, low = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Black or white, the one with more contrast: 4.58 at least. */
function readableOn(background: string): string {
  return contrast(background, '#ffffff') >= contrast(background, '#000000') ? '#ffffff' : '#000000'
}

function dangerOn(background: string): string {
  return contrast('#b91c1c', background) >= contrast('#fca5a5', background) ? '#b91c1c' : '#fca5a5'
}

/** Colour of borders: between text and background. */
function mixed(text: string, background: string): string {
  const [a, b] = [channels(text), channels(background)]
  return `rgb(${a.map((channel, index) => Math.round(channel * 0.55 + (b[index] ?? 0) * 0.45)).join(',')})`
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map(channel => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(color: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
}

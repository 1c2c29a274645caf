import { type BrandFields, mailFonts } from '@emma/contract/client-brand.ts'
import { contrast, mix, readable } from './color.ts'

/** A client's brand. Null or missing: the design's own value. */
export type DesignBrand = Partial<BrandFields>

/** A design's own values. */
export interface Palette {
  color: string
  text_color: string
  background: string
  button_color: string
  font: string
  heading_font: string
  /** Of buttons, in px. */
  radius: number
}

/**
 * Writes a client's brand into the MJML of a design: `{{ brand.NAME }}`, with the shades derived from its colors, its
 * logo instead of its name, and its social links.
 * @param imprint the Liquid that shows the imprint
 */
export function applyBrand(mjml: string, palette: Palette, brand: DesignBrand, imprint: string): string {
  const values = brandValues(palette, brand)
  const branded = mjml.replaceAll(/\{\{ brand\.(\w+) \}\}/g, (token, name: string) => values[name] ?? token)
  return withSocials(withLogo(branded, brand), brand).replace('{{ client.imprint }}', () => imprint)
}

const PAPER = '#ffffff'
const DARK_PAPER = '#26272b'

function brandValues(palette: Palette, brand: DesignBrand): Record<string, string> {
  const color = brand.brand_color ?? palette.color
  const text = readable(brand.brand_text_color ?? palette.text_color, PAPER, 7)
  const background = brand.brand_background ?? palette.background
  const button = brand.brand_button_color ?? brand.brand_color ?? palette.button_color
  const onButton = brand.brand_button_text_color ?? null
  const darkButton = readable(button, DARK_PAPER, 2)
  const deep = mix(color, '#0b0c0f', 0.78)
  const radius = brand.brand_radius ?? palette.radius
  const font = brand.brand_heading_font ?? brand.brand_font
  const headingFont = font ? mailFonts[font] : palette.heading_font
  return {
    color,
    text_color: text,
    background,
    button_color: button,
    button_text_color: onButton !== null && contrast(onButton, button) >= 4.5 ? onButton : inkOn(button),
    font: brand.brand_font ? mailFonts[brand.brand_font] : palette.font,
    heading_font: headingFont,
    radius: `${radius}px`,
    card_radius: `${Math.min(20, Math.round(radius * 1.6))}px`,
    on_color: inkOn(color),
    soft_on_color: readable(mix(inkOn(color), color, 0.18), color, 4.5),
    tint: mix(color, PAPER, 0.91),
    deep,
    on_deep: '#ffffff',
    soft_on_deep: mix('#ffffff', deep, 0.28),
    accent_on_deep: readable(color, deep, 4.5),
    accent_text: readable(color, PAPER, 4.5),
    dark_accent: readable(color, DARK_PAPER, 4.5),
    dark_button: darkButton,
    on_dark_button: inkOn(darkButton),
    muted: readable(mix(text, PAPER, 0.38), mix(color, PAPER, 0.91), 4.5),
    page_text: readable(text, background, 7),
    page_muted: readable(mix(text, background, 0.35), background, 4.5),
    line: mix(text, PAPER, 0.86),
  }
}

/** Black or white, whichever is easier to read on a color. */
function inkOn(color: string): string {
  return contrast('#ffffff', color) >= 4.5 ? '#ffffff' : readable('#101114', color, 4.5)
}

function withLogo(mjml: string, { brand_logo_url: url }: DesignBrand): string {
  const address = urlOf(url)
  if (address === null) return mjml
  return mjml.replaceAll(
    /<mj-text\b([^>]*)\bmj-class="logo"([^>]*)>\s*\{\{ client\.name \}\}\s*<\/mj-text>/g,
    (_, before: string, after: string) => {
      const placing = `${before} ${after}`.match(/\b(?:align|padding)="[^"]*"/g)?.join(' ') ?? ''
      return `<mj-image src="${address}" alt="{{ client.name }}" width="140px" align="left" ${placing} />`
    },
  )
}

function withSocials(mjml: string, { brand_socials: socials = [] }: DesignBrand): string {
  const elements = socials.flatMap(({ network, url }) => {
    const address = urlOf(url)
    if (address === null) return []
    return [`<mj-social-element name="${network}-noshare" href="${address}" alt="${network}" />`]
  })
  const social =
    elements.length === 0
      ? ''
      : `<mj-social icon-size="22px" padding="0 0 18px">${elements.join('')}</mj-social>`
  return mjml.replace(/[ \t]*<!-- socials -->\n/, () => (social === '' ? '' : `        ${social}\n`))
}

/** A web address as the value of an attribute, without Liquid. The parser has encoded quotes and angle brackets. */
function urlOf(value: string | null | undefined): string | null {
  const url = value ? URL.parse(value) : null
  return url && /^https?:$/.test(url.protocol)
    ? url.href.replaceAll('&', '&amp;').replaceAll('{', '%7B').replaceAll('}', '%7D')
    : null
}

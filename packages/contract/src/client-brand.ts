import { z } from 'zod'
import { line } from './fields.ts'
import { checkFault } from './schema-faults.ts'

/** The brand of a client's emails: fields of the client, and the values `{{ brand.… }}` that templates read. */

/** Font stacks that mail clients have. Without quotes, which would end an attribute. */
export const mailFonts = {
  system: '-apple-system, BlinkMacSystemFont, Segoe UI, Roboto, Arial, sans-serif',
  arial: 'Arial, Helvetica, sans-serif',
  verdana: 'Verdana, Geneva, sans-serif',
  tahoma: 'Tahoma, Geneva, sans-serif',
  trebuchet: 'Trebuchet MS, Tahoma, sans-serif',
  georgia: 'Georgia, Times, serif',
  palatino: 'Palatino Linotype, Palatino, Georgia, serif',
  times: 'Times New Roman, Times, serif',
  courier: 'Courier New, Courier, monospace',
} as const

export type MailFont = keyof typeof mailFonts
export const mailFontNames = Object.keys(mailFonts) as MailFont[]

/** Networks for which MJML has an icon (mj-social-element); `x-noshare` links to the page, `x` would share one. */
export const socialNetworks = [
  'facebook',
  'instagram',
  'linkedin',
  'x',
  'youtube',
  'pinterest',
  'snapchat',
  'xing',
  'github',
  'vimeo',
  'web',
] as const
export type SocialNetwork = (typeof socialNetworks)[number]

export const brandLimits = { radius: 50, socials: 10, url: 2000 } as const

const color = z.string().regex(/^#[\da-f]{6}$/i, checkFault('field.color'))
const webAddress = line(brandLimits.url)
  .trim()
  .regex(/^https?:\/\/[^\s/]+/i, checkFault('field.url'))

/** Null: the default of `brandDefaults`. */
export const brandFields = {
  brand_color: color.nullable(),
  brand_text_color: color.nullable(),
  /** Of the page around the content. */
  brand_background: color.nullable(),
  brand_button_color: color.nullable(),
  brand_button_text_color: color.nullable(),
  brand_font: z.enum(mailFontNames).nullable(),
  brand_heading_font: z.enum(mailFontNames).nullable(),
  /** Of buttons, in pixels. */
  brand_radius: z.int().min(0).max(brandLimits.radius).nullable(),
  brand_logo_url: webAddress.nullable(),
  brand_socials: z
    .array(z.object({ network: z.enum(socialNetworks), url: webAddress }))
    .max(brandLimits.socials)
    .default([]),
}

export type BrandFields = { [F in keyof typeof brandFields]: z.infer<(typeof brandFields)[F]> }
export const brandFieldNames = Object.keys(brandFields) as (keyof BrandFields)[]

/** Used for what a client has not set. The colour of buttons is the brand's colour, the font of headings that of texts. */
export const brandDefaults = {
  color: '#1f2937',
  text_color: '#1f2937',
  background: '#f4f4f5',
  button_text_color: '#ffffff',
  font: 'arial',
  radius: 6,
} as const

/** What templates read as `{{ brand.color }}`. */
export type BrandValues = {
  color: string
  text_color: string
  background: string
  button_color: string
  button_text_color: string
  /** Font stacks. */
  font: string
  heading_font: string
  /** With its unit: `6px`. */
  radius: string
  /** Empty if there is none. */
  logo_url: string
  name: string
  /** Imprint, otherwise address, otherwise name of the client. */
  imprint: string
  socials: { network: SocialNetwork; url: string }[]
}

/** Fields of a client that its brand is made of; what is missing is the default. */
export interface BrandSource extends Partial<BrandFields> {
  name: string
  imprint?: string | null
  address?: string | null
}

/** Returns the values of a client's brand, with the defaults. */
export function brandValues(client: BrandSource): BrandValues {
  const color = client.brand_color ?? brandDefaults.color
  const font = client.brand_font ?? brandDefaults.font
  return {
    color,
    text_color: client.brand_text_color ?? brandDefaults.text_color,
    background: client.brand_background ?? brandDefaults.background,
    button_color: client.brand_button_color ?? color,
    button_text_color: client.brand_button_text_color ?? brandDefaults.button_text_color,
    font: mailFonts[font],
    heading_font: mailFonts[client.brand_heading_font ?? font],
    radius: `${client.brand_radius ?? brandDefaults.radius}px`,
    logo_url: client.brand_logo_url ?? '',
    name: client.name,
    imprint: [client.imprint, client.address, client.name].find(text => text?.trim()) ?? '',
    socials: client.brand_socials ?? [],
  }
}

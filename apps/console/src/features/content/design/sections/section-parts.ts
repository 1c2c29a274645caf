/** Texts that new sections begin with, in the user's language. */
export type SectionTexts = Record<(typeof sampleNames)[number], string>

const sampleNames = [
  'heading',
  'title',
  'text',
  'short',
  'button',
  'name',
  'role',
  'price',
  'date',
  'place',
  'quote',
  'code',
  'link',
  'unsubscribe',
  'image',
] as const

/** The sample texts in the language of the console. */
export function sampleTexts(textOf: (name: string) => string): SectionTexts {
  return Object.fromEntries(sampleNames.map(name => [name, textOf(name)])) as SectionTexts
}

/** Colors of a section; values of the brand are inserted when a mail is compiled. */
export interface SectionLook {
  background: string
  text: string
  /** Of secondary texts. */
  muted: string
  /** Of names, prices and figures. */
  accent: string
  line: string
}

export const sectionLooks = {
  light: {
    background: '#ffffff',
    text: '{{ brand.text_color }}',
    muted: '#52525b',
    accent: '{{ brand.color }}',
    line: '#e4e4e7',
  },
  dark: {
    background: '#18181b',
    text: '#fafafa',
    muted: '#d4d4d8',
    accent: '#fafafa',
    line: '#3f3f46',
  },
} as const satisfies Record<string, SectionLook>

export type LookName = keyof typeof sectionLooks

/** Builders of MJML with the fonts and colors of a section. */
export function sectionParts(look: SectionLook) {
  const font = 'font-family="{{ brand.font }}"'
  const headingFont = 'font-family="{{ brand.heading_font }}"'
  const text = (content: string, { align = 'left', color = look.text, size = 16 }: TextStyle = {}) =>
    `<mj-text ${font} font-size="${size}px" line-height="1.6" color="${color}" align="${align}" padding="6px 24px">${content}</mj-text>`
  return {
    text,
    muted: (content: string, align: Align = 'left') => text(content, { align, color: look.muted, size: 14 }),
    heading: (content: string, { align = 'left', size = 24, color = look.text }: TextStyle = {}) =>
      `<mj-text ${headingFont} font-size="${size}px" line-height="1.3" font-weight="bold" color="${color}" align="${align}" padding="10px 24px 6px">${content}</mj-text>`,
    button: (content: string, align: Align = 'left') =>
      `<mj-button ${font} href="https://example.com/" background-color="{{ brand.button_color }}" color="{{ brand.button_text_color }}" border-radius="{{ brand.radius }}" font-size="16px" inner-padding="12px 24px" align="${align}" padding="10px 24px 16px">${content}</mj-button>`,
    image: (alt: string, attributes = 'padding="0"') => `<mj-image src="" alt="${alt}" ${attributes} />`,
    divider: () => `<mj-divider border-width="1px" border-color="${look.line}" padding="12px 24px" />`,
    logo: (align: Align = 'left') =>
      `{% if brand.logo_url != "" %}<mj-image src="{{ brand.logo_url }}" alt="{{ brand.name }}" width="140px" align="${align}" padding="8px 24px" />{% else %}<mj-text ${headingFont} font-size="22px" font-weight="bold" color="${look.accent}" align="${align}" padding="8px 24px">{{ brand.name }}</mj-text>{% endif %}`,
    social: (align: Align = 'center') =>
      `<mj-social mode="horizontal" icon-size="24px" align="${align}" padding="8px 24px">
  {% for social in brand.socials %}<mj-social-element name="{{ social.network }}-noshare" href="{{ social.url }}" alt="{{ social.network }}"></mj-social-element>{% endfor %}
</mj-social>`,
    columns: (columns: readonly Column[], { background = look.background, padding = '20px 0' } = {}) =>
      `<mj-section background-color="${background}" padding="${padding}">
${columns.map(column => indented(columnSource(column))).join('\n')}
</mj-section>`,
  }
}

export type SectionParts = ReturnType<typeof sectionParts>

type Align = 'left' | 'center' | 'right'

interface TextStyle {
  align?: Align
  color?: string
  size?: number
}

/** Blocks of a column, with its width if columns differ. */
export type Column = readonly string[] | { width: string; blocks: readonly string[] }

function columnSource(column: Column): string {
  const { width, blocks } = 'blocks' in column ? column : { width: null, blocks: column }
  const size = width === null ? '' : ` width="${width}"`
  return `<mj-column${size} vertical-align="top">\n${blocks.map(indented).join('\n')}\n</mj-column>`
}

function indented(source: string): string {
  return `  ${source.replaceAll('\n', '\n  ')}`
}

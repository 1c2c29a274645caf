import {
  type LookName,
  sectionLooks,
  type SectionParts,
  sectionParts,
  type SectionTexts,
} from './section-parts.ts'

export const sectionGroups = ['header', 'hero', 'content', 'offer', 'people', 'action', 'footer'] as const
export type SectionGroup = (typeof sectionGroups)[number]

type Build = (parts: SectionParts, texts: SectionTexts) => string

const center = { align: 'center' } as const

const header = {
  header_logo: ({ columns, logo }) => columns([[logo('center')]]),
  header_logo_link: ({ columns, logo, muted }, { link }) =>
    columns([
      { width: '60%', blocks: [logo()] },
      { width: '40%', blocks: [muted(anchor(link), 'right')] },
    ]),
  header_date: ({ columns, logo, muted }, { date }) =>
    columns([
      { width: '60%', blocks: [logo()] },
      { width: '40%', blocks: [muted(date, 'right')] },
    ]),
  header_browser: ({ columns, muted }, { link }) =>
    columns([[muted(`<a href="{{ link.browser }}" style="color: inherit">${link}</a>`, 'center')]], {
      padding: '4px 0',
    }),
  header_title: ({ columns, logo, heading }, { heading: title }) =>
    columns([[logo('center'), heading(title, { ...center, size: 28 })]]),
} satisfies Record<string, Build>

const hero = {
  hero_text: ({ columns, heading, text, button }, texts) =>
    columns(
      [
        [
          heading(texts.heading, { ...center, size: 34 }),
          text(texts.text, center),
          button(texts.button, 'center'),
        ],
      ],
      { padding: '48px 0' },
    ),
  hero_image: ({ columns, image, heading, text, button }, texts) =>
    columns(
      [[image(texts.image), heading(texts.heading, { size: 32 }), text(texts.text), button(texts.button)]],
      { padding: '0 0 20px' },
    ),
  hero_image_below: ({ columns, image, heading, text }, texts) =>
    columns([
      [
        heading(texts.heading, { ...center, size: 32 }),
        text(texts.text, center),
        image(texts.image, 'padding="20px 24px"'),
      ],
    ]),
  hero_columns: ({ columns, image, heading, text, button }, texts) =>
    columns([
      [heading(texts.heading, { size: 30 }), text(texts.text), button(texts.button)],
      [image(texts.image, 'padding="10px 24px"')],
    ]),
  hero_color: ({ columns, heading, text, button }, texts) =>
    columns(
      [
        [
          heading(texts.heading, { ...center, size: 34, color: '#ffffff' }),
          text(texts.text, { ...center, color: '#ffffff' }),
          button(texts.button, 'center'),
        ],
      ],
      { background: '{{ brand.color }}', padding: '48px 0' },
    ),
} satisfies Record<string, Build>

const content = {
  article: ({ columns, heading, text, button }, texts) =>
    columns([[heading(texts.title), text(texts.text), button(texts.button)]]),
  article_image: ({ columns, image, heading, text }, texts) =>
    columns([[image(texts.image, 'padding="0 24px 10px"'), heading(texts.title), text(texts.text)]]),
  article_image_left: ({ columns, image, heading, text }, texts) =>
    columns([
      { width: '40%', blocks: [image(texts.image, 'padding="10px 0 10px 24px"')] },
      { width: '60%', blocks: [heading(texts.title, { size: 20 }), text(texts.short)] },
    ]),
  article_image_right: ({ columns, image, heading, text }, texts) =>
    columns([
      { width: '60%', blocks: [heading(texts.title, { size: 20 }), text(texts.short)] },
      { width: '40%', blocks: [image(texts.image, 'padding="10px 24px 10px 0"')] },
    ]),
  articles_two: ({ columns, image, heading, text, muted }, texts) =>
    columns(
      repeated(2, [
        image(texts.image, 'padding="0 24px"'),
        heading(texts.title, { size: 18 }),
        text(texts.short, { size: 14 }),
        muted(anchor(texts.link)),
      ]),
    ),
  text_two_columns: ({ columns, text }, texts) => columns(repeated(2, [text(texts.text)])),
  list: ({ columns, heading, text }, texts) =>
    columns([[heading(texts.title), text(`<ul>${repeated(3, `<li>${texts.short}</li>`).join('')}</ul>`)]]),
  steps: ({ columns, heading, text }, texts) =>
    columns(
      [1, 2, 3].map(number => [heading(`${number}`, center), text(texts.short, { ...center, size: 14 })]),
    ),
  figures: ({ columns, heading, muted }, texts) =>
    columns(
      ['120', '85 %', '24'].map(figure => [
        heading(figure, { ...center, size: 32 }),
        muted(texts.short, 'center'),
      ]),
    ),
  questions: ({ columns, heading, text, divider }, texts) =>
    columns([
      [
        heading(`${texts.title}?`, { size: 18 }),
        text(texts.text),
        divider(),
        heading(`${texts.title}?`, { size: 18 }),
        text(texts.text),
      ],
    ]),
  gallery_two: ({ columns, image }, texts) =>
    columns(repeated(2, [image(texts.image, 'padding="8px 12px"')])),
  gallery_three: ({ columns, image }, texts) =>
    columns(repeated(3, [image(texts.image, 'padding="8px 12px"')])),
  event: ({ columns, heading, text, muted, button }, texts) =>
    columns([
      { width: '30%', blocks: [heading(texts.date, { size: 20 }), muted(texts.place)] },
      { width: '70%', blocks: [heading(texts.title, { size: 20 }), text(texts.short), button(texts.button)] },
    ]),
  events: ({ columns, heading, muted, divider }, texts) =>
    columns([
      [
        ...repeated(2, [
          heading(texts.title, { size: 18 }),
          muted(`${texts.date}, ${texts.place}`),
          divider(),
        ]).flat(),
        heading(texts.title, { size: 18 }),
        muted(`${texts.date}, ${texts.place}`),
      ],
    ]),
} satisfies Record<string, Build>

const offer = {
  product: ({ columns, image, heading, text, button }, texts) =>
    columns([
      [image(texts.image, 'padding="10px 24px"')],
      [
        heading(texts.title, { size: 20 }),
        text(texts.short),
        heading(texts.price, { size: 20 }),
        button(texts.button),
      ],
    ]),
  products_two: ({ columns, image, heading, text, button }, texts) =>
    columns(
      repeated(2, [
        image(texts.image, 'padding="0 24px"'),
        heading(texts.title, { ...center, size: 18 }),
        text(texts.price, center),
        button(texts.button, 'center'),
      ]),
    ),
  products_three: ({ columns, image, heading, text }, texts) =>
    columns(
      repeated(3, [
        image(texts.image, 'padding="0 16px"'),
        heading(texts.title, { ...center, size: 16 }),
        text(texts.price, { ...center, size: 14 }),
      ]),
    ),
  coupon: ({ columns, heading, text, muted, button }, texts) =>
    columns([
      [
        text(texts.short, center),
        heading(texts.code, { ...center, size: 30 }),
        muted(texts.date, 'center'),
        button(texts.button, 'center'),
      ],
    ]),
  prices: ({ columns, heading, text, muted, button }, texts) =>
    columns(
      repeated(2, [
        heading(texts.title, { ...center, size: 18 }),
        heading(texts.price, { ...center, size: 28 }),
        muted(texts.short, 'center'),
        text('✓', center),
        button(texts.button, 'center'),
      ]),
    ),
} satisfies Record<string, Build>

const people = {
  quote: ({ columns, heading, muted }, texts) =>
    columns([
      [heading(`“${texts.quote}”`, { ...center, size: 22 }), muted(`${texts.name}, ${texts.role}`, 'center')],
    ]),
  quotes_two: ({ columns, text, muted }, texts) =>
    columns(repeated(2, [text(`“${texts.quote}”`), muted(`${texts.name}, ${texts.role}`)])),
  team: ({ columns, image, heading, muted }, texts) =>
    columns(
      repeated(3, [
        image(texts.name, 'width="120px" border-radius="60px" padding="0 16px"'),
        heading(texts.name, { ...center, size: 16 }),
        muted(texts.role, 'center'),
      ]),
    ),
  signature: ({ columns, text, muted }, texts) => columns([[text(texts.name), muted(texts.role)]]),
} satisfies Record<string, Build>

const action = {
  call_to_action: ({ columns, heading, button }, texts) =>
    columns([[heading(texts.heading, center), button(texts.button, 'center')]], { padding: '32px 0' }),
  call_to_action_row: ({ columns, heading, button }, texts) =>
    columns([
      { width: '60%', blocks: [heading(texts.title, { size: 20 })] },
      { width: '40%', blocks: [button(texts.button, 'right')] },
    ]),
  social: ({ columns, heading, social }, texts) =>
    columns([[heading(texts.title, { ...center, size: 18 }), social()]]),
} satisfies Record<string, Build>

const footer = {
  footer: ({ columns, muted, social }, { unsubscribe }) =>
    columns([
      [
        social(),
        muted('{{ brand.imprint | newline_to_br }}', 'center'),
        muted(unsubscribeLink(unsubscribe), 'center'),
      ],
    ]),
  footer_logo: ({ columns, logo, muted }, { unsubscribe }) =>
    columns([
      [
        logo('center'),
        muted('{{ brand.imprint | newline_to_br }}', 'center'),
        muted(unsubscribeLink(unsubscribe), 'center'),
      ],
    ]),
  footer_columns: ({ columns, muted, social }, { unsubscribe }) =>
    columns([
      {
        width: '60%',
        blocks: [muted('{{ brand.imprint | newline_to_br }}'), muted(unsubscribeLink(unsubscribe))],
      },
      { width: '40%', blocks: [social('right')] },
    ]),
} satisfies Record<string, Build>

const groups = { header, hero, content, offer, people, action, footer } satisfies Record<
  SectionGroup,
  Record<string, Build>
>

/** Names of the designed sections, by group. */
export const sectionNames: readonly { group: SectionGroup; name: string }[] = sectionGroups.flatMap(group =>
  Object.keys(groups[group]).map(name => ({ group, name })),
)

/** Returns the MJML of a designed section in a look; it takes on the brand of the client. */
export function sectionSource(name: string, look: LookName, texts: SectionTexts): string {
  const builds: Partial<Record<string, Build>> = Object.assign({}, ...Object.values(groups))
  return builds[name]?.(sectionParts(sectionLooks[look]), texts) ?? ''
}

function repeated<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item)
}

function anchor(text: string): string {
  return `<a href="https://example.com/" style="color: inherit">${text}</a>`
}

function unsubscribeLink(text: string): string {
  return `<a href="{{ link.unsubscribe }}" style="color: inherit">${text}</a>`
}

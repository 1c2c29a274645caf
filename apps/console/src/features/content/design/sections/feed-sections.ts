import {
  type LookName,
  sectionLooks,
  type SectionParts,
  sectionParts,
  type SectionTexts,
} from './section-parts.ts'

const link = (content: string) =>
  `<a href="{{ item.link }}" style="color: inherit; text-decoration: none">${content}</a>`

const image =
  '{% if item.image != "" %}<mj-image src="{{ item.image }}" alt="{{ item.title }}" href="{{ item.link }}" padding="10px 24px" />{% endif %}'

const builds = {
  posts: ({ heading, text, muted }, { heading: title, button: more }, loop) => [
    heading(title),
    ...loop([
      image,
      heading(link('{{ item.title }}'), { size: 20 }),
      text('{{ item.summary }}'),
      muted(`<a href="{{ item.link }}" style="color: inherit">${more}</a>`),
    ]),
  ],
  posts_images: ({ heading }, { heading: title }, loop) => [
    heading(title),
    ...loop([image, heading(link('{{ item.title }}'), { size: 18 })]),
  ],
  posts_titles: ({ heading, text, divider }, { heading: title }, loop) => [
    heading(title),
    ...loop([text(link('<b>{{ item.title }}</b>')), divider()]),
  ],
} satisfies Record<string, Build>

type Build = (
  parts: SectionParts,
  texts: SectionTexts,
  /** Repeats blocks for each item. */
  loop: (blocks: readonly string[]) => string[],
) => string[]

export type FeedSectionName = keyof typeof builds

export const feedSectionNames = Object.keys(builds) as FeedSectionName[]

/** MJML of a section with the items of a feed. */
export function feedSectionSource(
  name: FeedSectionName,
  feed: string,
  look: LookName,
  texts: SectionTexts,
): string {
  const parts = sectionParts(sectionLooks[look])
  const loop = (blocks: readonly string[]) => [`{% for item in data.${feed} %}`, ...blocks, '{% endfor %}']
  return parts.columns([builds[name](parts, texts, loop)])
}

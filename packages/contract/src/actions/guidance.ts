import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, line, text } from '../fields.ts'
import { motdSizes, motdTypes } from '../resources/motd.ts'
import { tourStep } from '../resources/guided-tour.ts'

const pathId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const done = z.object({ ok: z.literal(true) })
const languages = ['en', 'de', 'es'] as const

/** A message of the day with sanitized HTML. */
const shownMotd = z.object({
  id,
  title_en: z.string(),
  title_de: z.string(),
  title_es: z.string(),
  html_en: z.string(),
  html_de: z.string(),
  html_es: z.string(),
  type: z.enum(motdTypes).nullable(),
  modal_size: z.enum(motdSizes).nullable(),
})
export type ShownMotd = z.infer<typeof shownMotd>

const playableTour = z.object({
  id,
  name: z.string(),
  name_de: z.string().nullable(),
  name_es: z.string().nullable(),
  path: z.string(),
  steps: z.array(tourStep),
  autoplay: z.boolean(),
  /** Taken or dismissed before: it does not start automatically again. */
  seen: z.boolean(),
})
export type PlayableTour = z.infer<typeof playableTour>

/** Content that the console shows on its own: undismissed messages, tours, and the number of unseen versions. */
export const readGuidance = defineAction({
  name: 'readGuidance',
  area: 'messages',
  paths: ['/guidance/'],
  permission: null,
  query: z.looseObject({}),
  response: z.object({
    messages: z.array(shownMotd),
    /** When a message next begins or ends, which is the time to reload. */
    changes_at: instant.nullable(),
    tours: z.array(playableTour),
    news: z.int(),
  }),
})

/** Messages for users who are not logged in (R024). */
export const listLoginMotds = defineAction({
  name: 'listLoginMotds',
  area: 'messages',
  paths: ['/motd:login'],
  permission: 'public',
  response: z.object({ messages: z.array(shownMotd) }),
})

/** Dismisses a message for the user. */
export const dismissMotd = defineAction({
  name: 'dismissMotd',
  area: 'messages',
  method: 'POST',
  paths: ['/motd:dismiss/{id}'],
  permission: null,
  params: z.object({ id: pathId }),
  response: done,
})

/** Renders a text for the editor's preview. */
export const previewMotd = defineAction({
  name: 'previewMotd',
  area: 'messages',
  method: 'POST',
  paths: ['/motd:preview'],
  permission: 'Motd:get',
  reads: true,
  body: z.object({ body: text(20_000).nullable() }),
  response: z.object({ html: z.string() }),
})

/** Marks a tour as taken or dismissed by the user. */
export const seeTour = defineAction({
  name: 'seeTour',
  area: 'tours',
  method: 'POST',
  paths: ['/v2/guided-tour:seen/{id}'],
  permission: null,
  params: z.object({ id: pathId }),
  response: done,
})

const postQuery = z.looseObject({
  per_page: z.coerce.number().int().min(1).max(100).default(10),
  offset: z.coerce.number().int().min(0).max(1_000_000).optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  order: z.enum(['asc', 'desc']).default('desc'),
  orderby: z.enum(['date', 'modified', 'id', 'title', 'slug', 'relevance']).default('date'),
  search: z.string().max(255).default(''),
  slug: z.string().max(100).optional(),
  lang: z.enum(languages).default('en'),
})
export type HelpQuery = z.infer<typeof postQuery>

/** An article in the format of a WordPress post; `screens` are the related console paths. */
const helpPost = z.object({
  id,
  date: z.string(),
  modified: z.string(),
  slug: z.string(),
  status: z.literal('publish'),
  type: z.literal('post'),
  link: z.string(),
  title: z.object({ rendered: z.string() }),
  content: z.object({ rendered: z.string(), protected: z.literal(false) }),
  excerpt: z.object({ rendered: z.string(), protected: z.literal(false) }),
  lang: z.enum(languages),
  screens: z.array(z.string()),
})
export type HelpPost = z.infer<typeof helpPost>

/** Help articles (R304) in the format of WordPress posts: a plain list, totals in X-WP-Total and X-WP-TotalPages. */
export const listHelp = defineAction({
  name: 'listHelp',
  area: 'help',
  paths: ['/wp-json/wp/v2/posts'],
  permission: 'public',
  query: postQuery,
  response: z.array(helpPost),
})

export const findHelp = defineAction({
  name: 'findHelp',
  area: 'help',
  paths: ['/wp-json/wp/v2/posts/{id}'],
  permission: 'public',
  params: z.object({ id: pathId }),
  query: z.looseObject({ lang: z.enum(languages).default('en') }),
  response: helpPost,
})

const changelogVersion = z.object({
  version: z.string(),
  date: z.iso.date(),
  items: z.array(z.object({ en: z.string(), de: z.string(), es: z.string() })),
})
export type ChangelogVersion = z.infer<typeof changelogVersion>

/** Changes of each version, newest first (R305); `seen` is the newest one that the user has seen. */
export const readChangelog = defineAction({
  name: 'readChangelog',
  area: 'help',
  paths: ['/changelog/'],
  permission: null,
  query: z.looseObject({}),
  response: z.object({ versions: z.array(changelogVersion), seen: z.string().nullable() }),
})

export const seeChangelog = defineAction({
  name: 'seeChangelog',
  area: 'help',
  method: 'POST',
  paths: ['/changelog:seen'],
  permission: null,
  body: z.object({ version: line(20) }),
  response: done,
})

/** Translates a text (R303): from the console's own texts, word by word, or by a translation service if configured. */
export const translate = defineAction({
  name: 'translate',
  area: 'help',
  paths: ['/translate'],
  permission: null,
  perMinute: 120,
  query: z.looseObject({
    source: z.enum(languages).default('de'),
    target: z.enum(languages).default('en'),
    text: text(5000),
  }),
  response: z.object({
    translatedText: z.string(),
    /** Source of the translation: an existing text, single words, a service, or none. */
    origin: z.enum(['memory', 'glossary', 'service', 'none']),
  }),
})

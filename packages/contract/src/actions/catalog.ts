import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { queryId, queryText } from '../fields.ts'

/** Catalogue of designs in the format of Beefree's catalogue (R261–R263): pages with `count`, `next` and `previous`. */

export const designCategories = ['newsletter', 'product', 'offer', 'event', 'welcome', 'service'] as const
export type DesignCategory = (typeof designCategories)[number]

export const designCollections = ['clear', 'warm', 'bold'] as const
export type DesignCollection = (typeof designCollections)[number]

const language = z.enum(['en', 'de', 'es'])
const page = z.coerce.number().int().min(1).max(1_000_000).default(1)
const pagesize = z.coerce.number().int().min(1).max(100).default(20)

const group = z.object({ id: z.string(), slug: z.string(), title: z.string(), count: z.int() })

const design = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  designer: z.string(),
  template_type: z.enum(['email', 'page']),
  thumbnail: z.string().nullable(),
  thumbnail_large: z.string().nullable(),
  categories: z.array(z.string()),
  collections: z.array(z.string()),
  tags: z.array(z.string()),
})

/** A design of the catalogue. */
export type CatalogDesign = z.infer<typeof design>

function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })
}

const facet = z.array(z.object({ value: z.string(), count: z.int() }))

const shared = { area: 'content', permission: 'BeePluginCatalog:get' } as const
const groupQuery = z.object({ lang: language.default('en'), page, pagesize })

export const listCatalogCategories = defineAction({
  ...shared,
  name: 'listCatalogCategories',
  paths: ['/catalog/categories'],
  query: groupQuery,
  response: pageOf(group),
})

export const listCatalogCollections = defineAction({
  ...shared,
  name: 'listCatalogCollections',
  paths: ['/catalog/collections'],
  query: groupQuery,
  response: pageOf(group),
})

export const listCatalogTemplates = defineAction({
  ...shared,
  name: 'listCatalogTemplates',
  paths: ['/catalog/templates'],
  query: z.object({
    lang: language.default('en'),
    search: queryText.optional(),
    category: queryText.optional(),
    collection: queryText.optional(),
    designer: queryText.optional(),
    tag: queryText.optional(),
    template_type: z.enum(['email', 'page']).optional(),
    page,
    pagesize,
  }),
  response: pageOf(design).extend({
    facets: z.object({ categories: facet, collections: facet, tags: facet }),
  }),
})

const slug = z.string().regex(/^[a-z][a-z-]{0,59}$/)

const designSource = design.extend({
  subject: z.string(),
  preheader: z.string(),
  body_mjml: z.string(),
})

/** A design with its MJML in the brand of a client, by default the active one. */
export const readCatalogTemplate = defineAction({
  ...shared,
  name: 'readCatalogTemplate',
  paths: ['/catalog/templates/{slug}'],
  params: z.object({ slug }),
  query: z.object({ lang: language.default('en'), client_id: queryId.optional() }),
  response: designSource,
})

/** A design rendered with sample data in the brand of a client. */
export const renderCatalogTemplate = defineAction({
  ...shared,
  name: 'renderCatalogTemplate',
  paths: ['/catalog/templates/{slug}/render'],
  params: z.object({ slug }),
  query: z.object({ lang: language.default('en'), client_id: queryId.optional() }),
  response: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
})

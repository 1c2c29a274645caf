import type { CatalogDesign, listCatalogTemplates } from '@emma/contract/actions/catalog.ts'
import type { z } from 'zod'
import { type DesignLanguage, type LocalDesign, readDesigns } from './read-designs.ts'

/** A page of results, in the format of Beefree's catalogue. */
export interface CatalogPage<T> {
  count: number
  next: string | null
  previous: string | null
  results: T[]
}

type TemplatesQuery = z.output<typeof listCatalogTemplates.query>

const designer = 'EMMA'
const languages = ['en', 'de', 'es'] as const
const cached = new Map(languages.map(lang => [lang, readDesigns(lang)]))

export function designsIn(lang: DesignLanguage): readonly LocalDesign[] {
  return cached.get(lang) ?? []
}

export function presentDesign({ slug, title, description, ...design }: LocalDesign): CatalogDesign {
  return {
    id: slug,
    slug,
    title,
    description,
    designer,
    template_type: 'email',
    thumbnail: null,
    thumbnail_large: null,
    categories: [design.category],
    collections: [design.collection],
    tags: [...design.tags],
  }
}

/** The designs that match all filters, with the number of matches per category, collection and tag. */
export function listDesigns(query: TemplatesQuery) {
  const found = designsIn(query.lang).map(presentDesign).filter(matches(query))
  const { lang, page, pagesize, ...filters } = query
  return {
    ...pageOf('/catalog/templates', found, { lang, page, pagesize, ...filters }),
    facets: {
      categories: countBy(found, design => design.categories),
      collections: countBy(found, design => design.collections),
      tags: countBy(found, design => design.tags),
    },
  }
}

function matches(query: TemplatesQuery): (design: CatalogDesign) => boolean {
  const words = (query.search ?? '').toLocaleLowerCase().split(/\s+/).slice(0, 10)
  return design => {
    const text = `${design.title} ${design.description} ${design.tags.join(' ')}`.toLocaleLowerCase()
    return (
      words.every(word => text.includes(word)) &&
      (!query.category || design.categories.includes(query.category)) &&
      (!query.collection || design.collections.includes(query.collection)) &&
      (!query.tag || design.tags.includes(query.tag)) &&
      (!query.designer || design.designer.toLowerCase() === query.designer.toLowerCase()) &&
      (!query.template_type || design.template_type === query.template_type)
    )
  }
}

/** @param query of the request; it is repeated in the paths of the neighbouring pages */
export function pageOf<T>(
  path: string,
  all: readonly T[],
  query: { page: number; pagesize: number } & Record<string, string | number | undefined>,
): CatalogPage<T> {
  const { page, pagesize } = query
  const link = (number: number) => {
    const given = Object.entries({ ...query, page: number }).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return `${path}?${String(new URLSearchParams(given))}`
  }
  return {
    count: all.length,
    next: page * pagesize < all.length ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    results: all.slice((page - 1) * pagesize, page * pagesize),
  }
}

function countBy(designs: readonly CatalogDesign[], valuesOf: (design: CatalogDesign) => string[]) {
  const counts = new Map<string, number>()
  for (const value of designs.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count }))
}

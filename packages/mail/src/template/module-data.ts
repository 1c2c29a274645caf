import type { FeedItem } from './feed-items.ts'
import type { JsonValue } from './json-value.ts'
import type { Module } from './modules.ts'

/** What templates read as `{{ data.NAME }}`: the JSON of data feeds, and the items of feeds. */
export function moduleData(modules: readonly Module[]): Record<string, JsonValue> {
  return Object.fromEntries(
    modules.flatMap((module): [string, JsonValue][] => {
      if (module.type === 'feed') return [[module.name, (module.items ?? []).map(shownItem)]]
      return module.type === 'data' && module.data !== undefined ? [[module.name, module.data]] : []
    }),
  )
}

/** Names below `data`; undefined if the client has none, as calls may have data of their own. */
export function dataNames(modules: readonly Module[]): string[] | undefined {
  const names = modules.flatMap(({ type, name }) => (type === 'feed' || type === 'data' ? [name] : []))
  return names.length > 0 ? names : undefined
}

function shownItem({ key: _, ...item }: FeedItem): Omit<FeedItem, 'key'> {
  return item
}

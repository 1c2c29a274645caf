import { queryKeys } from '@emma/client/query-keys.ts'
import { message } from '@emma/contract/resources/message.ts'
import { useQueries } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'

/** Fields that templates are filtered by. */
export const templateGroups = ['category', 'collection'] as const

/** The values in use of each field that templates are filtered by, in order. */
export function useTemplateGroups() {
  const lists = useQueries({
    queries: templateGroups.map(group => ({
      queryKey: [...queryKeys.lists(message), 'distinct', group],
      queryFn: () => api.list(message, { filters: { distinct: group }, limit: 100 }),
    })),
  })
  return templateGroups.map((name, index) => {
    const words = (lists[index]?.data?.data ?? []).flatMap(row => row[name] ?? [])
    const options = words.toSorted((a, b) => a.localeCompare(b)).map(word => ({ value: word, label: word }))
    return { name, options }
  })
}

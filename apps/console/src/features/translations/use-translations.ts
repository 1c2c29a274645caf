import { queryKeys } from '@emma/client/query-keys.ts'
import {
  changeTranslation,
  forgetMissingTexts,
  listMissingTexts,
  listTranslations,
} from '@emma/contract/actions/translations.ts'
import type { TextTree } from '@emma/contract/resources/translation.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shell/session/api.ts'
import type { Lang } from '../../shell/i18n/i18n.ts'

interface LanguageChange {
  localisation?: TextTree
  label?: string
  optional?: boolean
}

/** Queries of all languages and missing texts, and the functions that change them. */
export function useTranslations() {
  const queryClient = useQueryClient()
  const languagesKey = queryKeys.action(listTranslations, {})
  const missedKey = queryKeys.action(listMissingTexts, {})
  const records = useQuery({
    queryKey: languagesKey,
    queryFn: ({ signal }) => api.call(listTranslations, { query: {}, signal, ignoreCache: true }),
  })
  const missed = useQuery({
    queryKey: missedKey,
    queryFn: ({ signal }) => api.call(listMissingTexts, { query: {}, signal, ignoreCache: true }),
  })

  async function askAgain(): Promise<void> {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: languagesKey }),
      queryClient.invalidateQueries({ queryKey: missedKey }),
    ])
  }

  /** Saves a change and applies it in this tab; other consoles receive a socket message. */
  async function change(language: Lang, body: LanguageChange): Promise<void> {
    await api.call(changeTranslation, { params: { language }, body })
    const { reloadTexts } = await import('../../shell/i18n/live-texts.ts')
    await Promise.all([askAgain(), reloadTexts()])
  }

  async function forget(key?: string): Promise<void> {
    await api.call(forgetMissingTexts, { query: key === undefined ? {} : { key } })
    await askAgain()
  }

  return { records, missed, change, forget }
}

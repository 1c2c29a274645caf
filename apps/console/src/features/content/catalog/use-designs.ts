import { queryKeys } from '@emma/client/query-keys.ts'
import { renderCatalogTemplate } from '@emma/contract/actions/catalog.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { retryBusy } from '../../../shell/resource/retry-busy.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'

const designLanguages = ['en', 'de', 'es'] as const

/** Language of designs: that of the console. */
export function useDesignLanguage(): (typeof designLanguages)[number] {
  const { i18n } = useTranslation()
  return designLanguages.find(lang => lang === i18n.language) ?? 'en'
}

/** A design with sample data, in the brand of the active client. */
export function useRenderedDesign(slug: string) {
  const query = { lang: useDesignLanguage(), client_id: useClientId() }
  return useQuery({
    queryKey: queryKeys.action(renderCatalogTemplate, { slug, ...query }),
    queryFn: ({ signal }) => api.call(renderCatalogTemplate, { params: { slug }, query, signal }),
    staleTime: Infinity,
    ...retryBusy,
  })
}

import { queryKeys } from '@emma/client/query-keys.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { category } from '@emma/contract/resources/category.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { espLogin } from '@emma/contract/resources/esp-login.ts'
import { list } from '@emma/contract/resources/list.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { message } from '@emma/contract/resources/message.ts'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { usePermission } from '../../shell/session/use-session.ts'

const byName = { field: 'name', descending: false }
const onlyActive = { onlyactive: [true] }

/** Records that the form of a recurring campaign offers. */
export function useSources() {
  const { t } = useTranslation()
  const categoryValues = useCategoryValues()
  const sources = useMemo(
    () => ({
      messages: resourceSource(api, message, {
        toOption: ({ name, subject }) => ({ label: name, description: subject }),
        filters: { template_type: ['email'] },
        sort: byName,
      }),
      segments: resourceSource(api, list, { toOption: row => ({ label: row.name }), sort: byName }),
      blacklists: resourceSource(api, blacklist, {
        toOption: row => ({ label: row.name }),
        filters: { type: ['campaign'] },
        sort: byName,
      }),
      cappings: resourceSource(api, capping, { toOption: row => ({ label: row.name }), sort: byName }),
      domains: resourceSource(api, domain, {
        toOption: row => ({ label: row.name, description: t(`deliverability.domain.states.${row.status}`) }),
        sort: byName,
      }),
      mailclasses: resourceSource(api, mailclass, {
        toOption: row => ({ label: row.name, ...(row.description ? { description: row.description } : {}) }),
        filters: onlyActive,
        sort: byName,
      }),
      services: resourceSource(api, espLogin, {
        toOption: row => ({ label: row.name }),
        filters: onlyActive,
        sort: byName,
      }),
    }),
    [t],
  )
  return { ...sources, categoryValues }
}

/** Values of all categories as options; none for users who may not see them. */
function useCategoryValues(): { value: number; label: string }[] {
  const mayRead = usePermission({ all: ['EmmaCategoryValue:get'] })
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.lists(category), 'all'],
    queryFn: ({ signal }) => api.listAll(category, {}, { signal }),
    enabled: mayRead,
  })
  return useMemo(
    () =>
      data.flatMap(({ name, values }) =>
        values.flatMap(({ value_id, label, active }) =>
          value_id !== null && active ? [{ value: value_id, label: `${name}: ${label}` }] : [],
        ),
      ),
    [data],
  )
}

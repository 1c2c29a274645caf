import { queryKeys } from '@emma/client/query-keys.ts'
import { listSendOnceKeys } from '@emma/contract/actions/campaigns.ts'
import { ariaRequired, fieldProps } from '@emma/ui/form/fields/field-props.ts'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Autocomplete, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { useClientId, usePermission } from '../session/use-session.ts'
import type { DeliveryValues } from './sending-values.ts'

/** Debounce of the search in ms. */
const PAUSE = 250

/** Maximum length in characters (sendOnceKey in fields.ts of the contract). */
const LONGEST = 100

/** Send-once key; suggests the client's keys, because a mistyped one protects nobody. */
export function SendOnceField({ form }: { form: FormPart<DeliveryValues> }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [isUsed, setUsed] = useState(false)
  const field = form.field('send_once_key')
  const text = form.values.send_once_key ?? ''
  const uses = useKeys(text, isUsed)
  const noteOf = (key: string) => {
    const use = uses.find(each => each.key === key)
    if (!use) return null
    return use.campaigns === 0
      ? t('campaigns.send_once.planned')
      : t('campaigns.send_once.used', { count: use.campaigns, date: format.date(use.last_used_at) })
  }
  return (
    <Autocomplete
      {...fieldProps(field, { description: t('campaigns.hints.send_once_key') })}
      {...ariaRequired(field)}
      placeholder="welcome-gift-2026"
      maxLength={LONGEST}
      data={uses.map(({ key }) => key)}
      // The server has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <div>
          {option.value}
          <Text component="div" size="xs" c="dimmed">
            {noteOf(option.value)}
          </Text>
        </div>
      )}
      value={text}
      onFocus={() => setUsed(true)}
      onChange={value => field.set(value)}
    />
  )
}

function useKeys(text: string, isUsed: boolean) {
  const clientId = useClientId()
  const isAllowed = usePermission({ all: ['EmmaCampaign:get'] })
  const [search] = useDebouncedValue(text.trim(), PAUSE)
  const { data } = useQuery({
    queryKey: queryKeys.action(listSendOnceKeys, { clientId, search }),
    queryFn: ({ signal }) =>
      api.call(listSendOnceKeys, {
        params: { client_id: clientId },
        query: search ? { search } : {},
        signal,
      }),
    enabled: isUsed && isAllowed,
    placeholderData: keepPreviousData,
  })
  return data?.data ?? []
}

import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { list } from '@emma/contract/resources/list.ts'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { MultiSelectField, SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useDatasources } from '../resource/use-datasources.ts'
import { api } from '../session/api.ts'
import { AudienceCount, type AudienceValues } from './audience-count.tsx'
import { byName } from './by-name.ts'
import { SendingOptions } from './sending-options.tsx'

interface AudienceFieldsProps {
  form: FormPart<AudienceValues>
  /** Below the segment. */
  children?: ReactNode
}

/** Fields of the segment and of who is skipped, with the number of recipients. */
export function AudienceFields({ form, children }: AudienceFieldsProps): ReactNode {
  const { t } = useTranslation()
  const segments = useSegments()
  const blacklists = useBlacklists()
  const cappings = useMemo(
    () => resourceSource(api, capping, { toOption: row => ({ label: row.name }), sort: byName }),
    [],
  )
  return (
    <>
      <SelectField
        form={form}
        name="list_id"
        source={segments}
        isClearable={!form.field('list_id').isRequired}
      />
      {children}
      <SendingOptions
        form={form}
        label={t('campaigns.audience_options')}
        names={['exclude_list_ids', 'blacklist_ids', 'capping_id']}
      >
        <MultiSelectField
          form={form}
          name="exclude_list_ids"
          source={segments}
          description={t('campaigns.hints.exclude_list_ids')}
        />
        <MultiSelectField
          form={form}
          name="blacklist_ids"
          source={blacklists}
          description={t('campaigns.hints.blacklist_ids')}
        />
        <SelectField
          form={form}
          name="capping_id"
          source={cappings}
          isClearable
          description={t('campaigns.hints.capping_id')}
        />
      </SendingOptions>
      <AudienceCount values={form.values} />
    </>
  )
}

/** Segments with their datasource and their last count. */
function useSegments() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: datasources } = useDatasources()
  return useMemo(
    () =>
      resourceSource(api, list, {
        toOption: row => {
          const datasource = datasources?.find(one => one.member_table_id === row.member_table_id)?.name
          const members =
            row.count === null || row.counted_at === null
              ? undefined
              : t('campaigns.members', {
                  number: format.number(row.count),
                  time: format.dateTime(row.counted_at),
                })
          const description = [datasource, members].filter(part => part !== undefined).join(' · ')
          return { label: row.name, ...(description === '' ? {} : { description }) }
        },
        sort: byName,
      }),
    [t, format, datasources],
  )
}

/** Suppression lists of campaigns, with their size. */
function useBlacklists() {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(
    () =>
      resourceSource(api, blacklist, {
        toOption: row => ({
          label: row.name,
          description: t('campaigns.entries', { number: format.number(row.count) }),
        }),
        filters: { type: ['campaign'] },
        sort: byName,
      }),
    [t, format],
  )
}

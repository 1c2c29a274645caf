import { Card } from '@emma/ui/layout/card.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Member } from './member-columns.tsx'

const always = ['datejoin', 'last_sent_at', 'last_opened_at', 'last_clicked_at'] as const
const ifAny = ['dateunjoin', 'hardbounced_at', 'complained_at', 'doi_at'] as const

/** Dates of a member's events; read-only, written by the server. */
export function MemberFacts({ member }: { member: Member }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const entry = (field: (typeof always)[number] | (typeof ifAny)[number]) => ({
    label: t(`audience.member.fields.${field}`),
    value: member[field] === null ? t('audience.member.never') : format.dateTime(member[field]),
  })
  return (
    <Card>
      <KeyValue
        columns={3}
        entries={[
          ...always.map(entry),
          ...ifAny.filter(field => member[field] !== null).map(entry),
          {
            label: t('audience.member.fields.softbounce_count'),
            value: member.softbounce_count > 0 ? format.number(member.softbounce_count) : null,
          },
        ]}
      />
    </Card>
  )
}

import type { RecordOf } from '@emma/client/emma-client.ts'
import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import type { agb } from '@emma/contract/resources/agb.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inLanguage } from '../../../shell/guidance/in-language.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { dayInstant } from './day-instant.ts'
import { DocumentState } from './document-state.tsx'

type LegalDocument = RecordOf<typeof agb>

/** Versions of the terms, or of the data-processing agreement, for superadmins. */
export default function DocumentList({ kind }: { kind: LegalKind }): ReactNode {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const titleOf = (row: LegalDocument) => inLanguage(row, 'title', i18n.resolvedLanguage)
  return (
    <ResourceList
      resource={legalDocuments[kind].resource}
      texts="billing.document"
      subtitle={t(`billing.${kind}.subtitle`)}
      columns={[
        { id: 'version', width: 140 },
        {
          id: 'title',
          header: t('billing.document.title'),
          sort: `title_${asLang(i18n.resolvedLanguage)}`,
          cell: titleOf,
          text: titleOf,
        },
        {
          id: 'state',
          header: t('billing.document.state'),
          width: 150,
          cell: row => <DocumentState document={row} />,
        },
        { id: 'valid_from', width: 150, cell: row => format.date(dayInstant(row.valid_from)) },
        { id: 'published_at', width: 180, cell: row => format.dateTime(row.published_at), wideOnly: true },
        {
          id: 'pdf',
          width: 110,
          cell: row => format.bytes(row.pdf?.size),
          wideOnly: true,
        },
      ]}
      filters={['published']}
      sort={{ field: 'valid_from', descending: true }}
      isRemovable={row => !row.published}
      hasBulk={false}
    />
  )
}

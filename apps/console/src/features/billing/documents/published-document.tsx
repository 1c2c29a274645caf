import type { RecordOf } from '@emma/client/emma-client.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import type { agb } from '@emma/contract/resources/agb.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Stack, Tabs } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asLang, languages } from '../../../shell/i18n/i18n.ts'
import { ConfirmingClients } from './confirming-clients.tsx'
import { dayInstant } from './day-instant.ts'
import { DocumentText } from './document-text.tsx'
import { PdfButton } from './pdf-button.tsx'

interface PublishedDocumentProps {
  kind: LegalKind
  document: RecordOf<typeof agb>
}

/** A published version, which cannot be changed: its text, its PDF, and the clients that have confirmed it. */
export function PublishedDocument({ kind, document }: PublishedDocumentProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`billing.document.${key}`)
  return (
    <Stack gap="lg">
      <Alert color="gray" icon={<IconLock size={18} />}>
        {text('published_note')}
      </Alert>
      <UrlTabs
        label={text('tabs.label')}
        tabs={[
          {
            id: 'text',
            label: text('tabs.text'),
            content: () => (
              <Stack gap="lg">
                <KeyValue
                  columns={3}
                  entries={[
                    { label: text('fields.valid_from'), value: format.date(dayInstant(document.valid_from)) },
                    { label: text('fields.published_at'), value: format.dateTime(document.published_at) },
                    {
                      label: text('fields.pdf'),
                      value: document.pdf && <PdfButton kind={kind} document={document} />,
                    },
                  ]}
                />
                <LanguageViews document={document} />
              </Stack>
            ),
          },
          {
            id: 'clients',
            label: text('tabs.clients'),
            content: () => <ConfirmingClients kind={kind} id={document.id} />,
          },
        ]}
      />
    </Stack>
  )
}

function LanguageViews({ document }: Pick<PublishedDocumentProps, 'document'>): ReactNode {
  const { t, i18n } = useTranslation()
  const [lang, setLang] = useState(asLang(i18n.resolvedLanguage))
  return (
    <Card>
      <Tabs value={lang} onChange={chosen => setLang(asLang(chosen ?? undefined))} keepMounted={false}>
        <Tabs.List aria-label={t('billing.document.tabs.languages')} mb="md">
          {languages.map(each => (
            <Tabs.Tab key={each.lang} value={each.lang}>
              {each.title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map(each => (
          <Tabs.Panel key={each.lang} value={each.lang}>
            <DocumentText document={document} lang={each.lang} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}

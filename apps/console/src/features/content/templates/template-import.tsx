import { ApiError } from '@emma/client/api-error.ts'
import { readHtmlBody } from '@emma/contract/actions/html-body.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { IconWorldDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { api } from '../../../shell/session/api.ts'
import { holds, useClientId, useSession } from '../../../shell/session/use-session.ts'
import type { Start } from './starters.ts'

export type Imported = Answer<typeof readHtmlBody>

/** A page by its address, a ZIP archive, or a design of Beefree as JSON. */
type ImportSource = { url: string } | { file: File } | { html: string }

/** Imports templates on the server; images become files of the file manager, if the user may add some. */
export function useTemplateImport() {
  const session = useSession()
  const clientId = useClientId()
  const body = {
    client_id: clientId,
    inline_css: false,
    store_images: holds(session, { all: ['CloudStorage:post'] }),
  }
  return useMutation({
    mutationFn: (source: ImportSource): Promise<Imported> =>
      'file' in source
        ? api.upload(readHtmlBody, { file: source.file, filename: source.file.name, parts: { data: body } })
        : api.call(readHtmlBody, { params: {}, body: { ...body, ...source } }),
  })
}

export function mayImport(session: ReturnType<typeof useSession>): boolean {
  return holds(session, { all: ['HtmlBody:post'] })
}

/** Why an import was rejected, without the name of the field. */
export function importErrorText(error: unknown): string {
  const fields = error instanceof ApiError ? error.fields : []
  return fields.length > 0 ? fields.map(textOfFault).join('\n') : errorText(error)
}

/** Button that asks for the address of a page. */
export function PageImport({ onImport }: { onImport: (imported: Imported) => void }): ReactNode {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [url, setUrl] = useState('')
  const page = useTemplateImport()
  const submit = () =>
    page.mutate(
      { url: /^https?:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}` },
      { onSuccess: onImport },
    )
  return (
    <>
      <Button variant="default" leftSection={<IconWorldDownload size={16} />} onClick={() => setOpen(true)}>
        {t('content.start.page')}
      </Button>
      <Dialog title={t('content.start.page')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form
          onSubmit={event => {
            event.preventDefault()
            submit()
          }}
        >
          <TextInput
            data-autofocus
            label={t('content.start.page_url')}
            description={t('content.start.page_text')}
            placeholder="https://www.example.com/newsletter"
            inputMode="url"
            maxLength={2000}
            required
            value={url}
            error={page.error && importErrorText(page.error)}
            onChange={event => setUrl(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={page.isPending} disabled={url.trim() === ''}>
              {t('content.start.page_go')}
            </Button>
          </Group>
        </form>
      </Dialog>
    </>
  )
}

/** What was imported, and what the user should look at; nothing was saved yet. */
export function ImportFindings({
  imported,
  onOpen,
  onClose,
}: {
  imported: Imported
  onOpen: () => void
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  const stored = imported.images.filter(({ stored_url }) => stored_url !== null).length
  return (
    <Dialog title={t('content.start.findings')} isOpen onClose={onClose} size="lg">
      <Stack>
        {stored > 0 && <Text>{t('content.start.images_stored', { count: stored })}</Text>}
        <Alert color="yellow">
          <Text mb="xs">{t('content.start.findings_text')}</Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {imported.warnings.map((warning, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- findings never change their order
              <List.Item key={index}>{textOfFault(warning)}</List.Item>
            ))}
          </List>
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onOpen}>{t('content.start.to_editor')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** The imported source as the content of a new template. */
export function startOf({ html, format, title, bee_json }: Imported): Start {
  return {
    subject: title,
    preheader: null,
    body_mjml: format === 'mjml' ? html : null,
    body_long: format === 'mjml' ? null : html,
    ...(bee_json && { bee_json }),
  }
}

import type { FormLanguage } from '@emma/contract/web-forms/form-texts.ts'
import type { PublicForm } from '@emma/contract/web-forms/render-form.ts'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { iframeTag, plainForm, scriptTag } from './embed-codes.ts'

interface WebFormEmbedProps {
  form: PublicForm & Parameters<typeof scriptTag>[0]
  lang: FormLanguage
}

/** Public page of a saved form, and the codes that put it on a website. */
export function WebFormEmbed({ form, lang }: WebFormEmbedProps): ReactNode {
  const { t } = useTranslation()
  const codes = { script: scriptTag(form), iframe: iframeTag(form), html: plainForm(form, lang) }
  return (
    <Stack>
      <Text>
        {t('audience.webform.public_page')}:{' '}
        <Anchor href={form.url} target="_blank" rel="noopener">
          {form.url}
        </Anchor>
      </Text>
      {(['script', 'iframe', 'html'] as const).map(kind => (
        <section key={kind} aria-label={t(`audience.webform.codes.${kind}`)}>
          <Group justify="space-between">
            <Text fw={600}>{t(`audience.webform.codes.${kind}`)}</Text>
            <CopyButton
              value={codes[kind]}
              label={t('audience.webform.copy_code', { code: t(`audience.webform.codes.${kind}`) })}
            />
          </Group>
          <Text size="sm" c="dimmed">
            {t(`audience.webform.code_hints.${kind}`)}
          </Text>
          <Code block mah={240} tabIndex={0} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
            {codes[kind]}
          </Code>
        </section>
      ))}
    </Stack>
  )
}

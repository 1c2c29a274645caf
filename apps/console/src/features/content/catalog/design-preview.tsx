import { type CatalogDesign, readCatalogTemplate } from '@emma/contract/actions/catalog.ts'
import { message } from '@emma/contract/resources/message.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { useDesignLanguage, useRenderedDesign } from './use-designs.ts'

const views = ['desktop', 'mobile', 'dark'] as const

/** Large preview of a design; its button creates a template from it and opens the editor. */
export function DesignPreview({
  design,
  onClose,
}: {
  design: CatalogDesign
  onClose: () => void
}): ReactNode {
  const { t } = useTranslation()
  const rendered = useRenderedDesign(design.slug)
  const { mayCreate } = useRights(message)
  const creation = useDesignCreation(design)
  return (
    <Dialog title={design.title} isOpen onClose={onClose} size="xl">
      <Group justify="space-between" mb="md" wrap="nowrap" align="start">
        <Text size="sm" c="dimmed">
          {design.description}
        </Text>
        {mayCreate && (
          <Button flex="none" loading={creation.isPending} onClick={() => creation.mutate()}>
            {t('content.catalog.use')}
          </Button>
        )}
      </Group>
      {rendered.error && <ErrorState error={rendered.error} onRetry={() => void rendered.refetch()} />}
      {rendered.isPending && <BlockSkeleton height={520} />}
      {rendered.data && (
        <MailPreview
          html={rendered.data.html}
          text={rendered.data.text}
          subject={rendered.data.subject}
          views={views}
          height="min(66vh, 720px)"
        />
      )}
    </Dialog>
  )
}

function useDesignCreation({ slug, title, categories, collections }: CatalogDesign) {
  const navigate = useNavigate()
  const { t } = useTranslation()
  const query = { lang: useDesignLanguage(), client_id: useClientId() }
  return useMutation({
    mutationFn: async () => {
      const { subject, preheader, body_mjml } = await api.call(readCatalogTemplate, {
        params: { slug },
        query,
      })
      const created = await api.create(message, {
        name: title,
        subject,
        preheader,
        body_mjml,
        lang: query.lang,
        category: categories.map(value => t(`content.catalog.categories.${value}`))[0] ?? null,
        collection: collections.map(value => t(`content.catalog.collections.${value}`))[0] ?? null,
      })
      await refresh(message)
      return created
    },
    onSuccess: ({ message_id }) =>
      navigate({ to: '/templates/edit/$id', params: { id: String(message_id) } }),
    onError: showError,
  })
}

import { type Confirmation, legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { Alert, Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api } from '../../../shell/session/api.ts'
import { forgetDueDocument } from '../../../shell/session/due-documents.ts'
import { useClientId, useSession } from '../../../shell/session/use-session.ts'

interface ConfirmFormProps {
  kind: LegalKind
  document: { id: number; version: string }
  onConfirmed: (confirmation: Confirmation) => void
}

/** Confirms a document for the client: tick, name and role. */
export function ConfirmForm({ kind, document, onConfirmed }: ConfirmFormProps): ReactNode {
  const { t } = useTranslation()
  const client = useClientId()
  const { claims, client: active } = useSession()
  const [name, setName] = useState(`${claims?.sub.firstname ?? ''} ${claims?.sub.lastname ?? ''}`.trim())
  const [role, setRole] = useState('')
  const [isTicked, setTicked] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const confirm = useMutation({
    mutationFn: () =>
      api.call(legalDocuments[kind].confirm, {
        params: { client_id: client },
        body: { doc_id: document.id, name: name.trim(), role: role.trim() },
      }),
    onSuccess: confirmation => {
      forgetDueDocument(kind)
      onConfirmed(confirmation)
    },
    // A newer version may have been published meanwhile.
    onError: () => void queryClient.invalidateQueries(),
  })
  const missing = (isMissing: boolean, key: string) =>
    isChecked && isMissing ? t(`billing.confirm.${key}`) : undefined
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setChecked(true)
        if (isTicked && name.trim() && role.trim()) confirm.mutate()
      }}
    >
      <Stack gap="md" maw={480}>
        {confirm.error && (
          <Alert role="alert" color="red" variant="light" icon={<IconAlertCircle size={18} />}>
            {errorText(confirm.error)}
          </Alert>
        )}
        <Checkbox
          label={t(`billing.${kind}.tick`, { version: document.version, client: active?.name ?? '' })}
          checked={isTicked}
          onChange={event => setTicked(event.currentTarget.checked)}
          error={missing(!isTicked, 'tick_missing')}
          required
        />
        <TextInput
          label={t('billing.confirm.name')}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={missing(name.trim() === '', 'name_missing')}
          autoComplete="name"
          maxLength={200}
          required
        />
        <TextInput
          label={t('billing.confirm.role')}
          description={t('billing.confirm.role_hint')}
          value={role}
          onChange={event => setRole(event.currentTarget.value)}
          error={missing(role.trim() === '', 'role_missing')}
          autoComplete="organization-title"
          maxLength={200}
          required
        />
        <Button type="submit" w="fit-content" loading={confirm.isPending}>
          {t('billing.confirm.submit')}
        </Button>
      </Stack>
    </form>
  )
}

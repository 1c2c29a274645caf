import { createApiToken } from '@emma/contract/actions/api-tokens.ts'
import { isPermission, type Permission, tokenPermissions } from '@emma/contract/permissions.ts'
import { client } from '@emma/contract/resources/client.ts'
import { CopyButton } from '@emma/ui/layout/copy-button.tsx'
import { MultiSelect } from '@emma/ui/select/select.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Alert, Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { usePermission, useSession } from '../../../shell/session/use-session.ts'
import { fieldFault, otherFault } from '../field-fault.ts'
import { Labelled } from '../labelled.tsx'
import { PermissionMatrix } from '../roles/permission-matrix.tsx'

interface NewTokenProps {
  userId: number
  onMade: () => void
  onClose: () => void
}

const clients = resourceSource(api, client, {
  toOption: row => ({ label: row.name }),
  sort: { field: 'name' },
})
const lives = [7, 30, 90, 180, 366]

/** Dialog for name, lifetime, clients and permissions of a new token; then shows the token once. */
export function NewToken({ userId, onMade, onClose }: NewTokenProps): ReactNode {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [days, setDays] = useState(90)
  const [clientIds, setClientIds] = useState<number[]>([])
  const [granted, setGranted] = useState<Permission[]>([])
  const [isChecked, setChecked] = useState(false)
  const offered = useHeldPermissions()
  const seesClients = usePermission({ all: ['EmmaClient:get'] })
  const make = useMutation({
    mutationFn: () =>
      api.call(createApiToken, {
        params: { id: userId },
        body: { name, days, client_ids: clientIds, permissions: granted },
      }),
    onSuccess: onMade,
  })
  if (make.data) return <MadeToken token={make.data.token} onClose={onClose} />
  const problem = otherFault(make.error)
  const isNameless = name.trim() === ''
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setChecked(true)
        if (!isNameless && granted.length > 0) make.mutate()
      }}
    >
      <Stack>
        {problem && (
          <Alert role="alert" color="red" variant="light" py="xs">
            {problem}
          </Alert>
        )}
        <TextInput
          label={t('platform.tokens.name')}
          description={t('platform.tokens.name_text')}
          value={name}
          maxLength={255}
          onChange={event => setName(event.currentTarget.value)}
          error={(isChecked && isNameless && t('platform.own.needed')) || fieldFault(make.error, 'name')}
        />
        <NativeSelect
          label={t('platform.tokens.life')}
          value={String(days)}
          onChange={event => setDays(Number(event.currentTarget.value))}
          data={lives.map(count => ({ value: String(count), label: t('platform.tokens.days', { count }) }))}
        />
        {seesClients && (
          <Labelled label={t('platform.user.fields.clients')}>
            <MultiSelect
              label={t('platform.user.fields.clients')}
              placeholder={t('platform.tokens.all_clients')}
              source={clients}
              value={clientIds}
              onChange={values => setClientIds([...values])}
            />
          </Labelled>
        )}
        {isChecked && granted.length === 0 && (
          <Alert role="alert" color="red" variant="light" py="xs">
            {t('platform.tokens.rights_needed')}
          </Alert>
        )}
        <PermissionMatrix
          id="token-rights"
          text={t('platform.tokens.matrix_text')}
          granted={granted}
          offered={offered}
          onChange={setGranted}
          isDisabled={make.isPending}
        />
        <Group>
          <Button type="submit" loading={make.isPending}>
            {t('platform.tokens.submit')}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('platform.own.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Permissions that a token may get: those that the user holds, except those not available to tokens. */
function useHeldPermissions(): readonly Permission[] {
  const { claims } = useSession()
  const held = new Set((claims?.permissions ?? []).filter(isPermission))
  return tokenPermissions.filter(permission => held.has(permission))
}

function MadeToken({ token, onClose }: { token: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Stack>
      <Alert color="yellow" variant="light" title={t('platform.tokens.made_title')}>
        {t('platform.tokens.made_text')}
      </Alert>
      <Group wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{token}</Code>
        <CopyButton value={token} label={t('platform.tokens.copy')} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('platform.tokens.usage')}
      </Text>
      <Code
        block
      >{`curl -H "Authorization: Bearer ${token.slice(0, 11)}…" ${location.origin}/api/emma/campaign/`}</Code>
      <Button variant="default" w="fit-content" onClick={onClose}>
        {t('platform.tokens.close')}
      </Button>
    </Stack>
  )
}

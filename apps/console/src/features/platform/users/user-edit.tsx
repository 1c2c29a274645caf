import type { RecordOf } from '@emma/client/emma-client.ts'
import { client } from '@emma/contract/resources/client.ts'
import { role } from '@emma/contract/resources/role.ts'
import { user } from '@emma/contract/resources/user.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { PasswordField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { MultiSelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { shortestPassword } from '../../../shell/session/shortest-password.ts'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { isSuperadmin, useSession } from '../../../shell/session/use-session.ts'
import { UserAccess } from './user-access.tsx'
import { invite, UserActions } from './user-actions.tsx'

type User = RecordOf<typeof user>

const fields = [
  'username',
  'email',
  'firstname',
  'lastname',
  'password',
  'active',
  'clients',
  'roles',
  'administrator',
  'superadmin',
] as const

const clients = resourceSource(api, client, {
  toOption: row => ({ label: row.name }),
  sort: { field: 'name' },
})
const roles = resourceSource(api, role, { toOption: row => ({ label: row.name }), sort: { field: 'name' } })

/** Form of a user. */
export default function UserEdit(): ReactNode {
  return (
    <RecordPage resource={user} actions={record => <UserActions user={record} />}>
      {record => (
        <>
          <UserForm record={record} />
          {record && <UserAccess user={record} />}
        </>
      )}
    </RecordPage>
  )
}

function UserForm({ record }: { record: User | null }): ReactNode {
  const { t } = useTranslation()
  const session = useSession()
  const isAbove = isSuperadmin(session)
  const grantsRoles = isAbove || (session.claims?.sub.administrator === true && role.superadminOnly !== true)
  const [isInviting, setInviting] = useState(true)
  const isSelf = record !== null && record.id === session.claims?.sub.id
  const text = (key: string) => t(`platform.user.${key}`)
  const form = useResourceForm(user, record, {
    fields,
    initial: { clients: session.client ? [session.client.client_id] : [] },
    toBody: withoutEmptyPassword,
    secret: ['password'],
    // Superadmins need no client and no role.
    required: [
      'firstname',
      'lastname',
      'email',
      'username',
      ...(record?.superadmin ? [] : ['clients']),
      ...(record ? [] : ['roles']),
    ],
    validate: ({ email, password }) => ({
      email: email !== '' && !isEmailAddress(email) ? text('email_fault') : null,
      password: password !== '' && password.length < shortestPassword ? t('account.reset.too_short') : null,
    }),
    isRemovable: () => !isSelf,
    onSaved: saved => {
      if (record === null && isInviting && !saved.has_password) void invite(saved, t)
    },
  })
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.person')} description={text('sections.person_text')}>
        <FormRow>
          <TextField form={form} name="firstname" />
          <TextField form={form} name="lastname" />
        </FormRow>
        <TextField
          form={form}
          name="email"
          type="email"
          maxLength={254}
          isDisabled={isSelf}
          description={isSelf ? text('own_email') : undefined}
        />
      </FormSection>
      <FormSection title={text('sections.login')} description={text('sections.login_text')}>
        <TextField form={form} name="username" maxLength={64} />
        {!isSelf && (
          <PasswordField
            form={form}
            name="password"
            description={text(form.isNew ? 'password_new' : 'password_kept')}
          />
        )}
        {form.isNew && form.values.password === '' && (
          <Switch
            label={t('platform.user.invite')}
            description={text('invite_hint')}
            checked={isInviting}
            onChange={event => setInviting(event.currentTarget.checked)}
          />
        )}
        <SwitchField form={form} name="active" description={text('active_hint')} isDisabled={isSelf} />
      </FormSection>
      <FormSection title={text('sections.rights')} description={text('sections.rights_text')}>
        <MultiSelectField form={form} name="clients" source={clients} description={text('clients_hint')} />
        {grantsRoles ? (
          <MultiSelectField form={form} name="roles" source={roles} />
        ) : (
          <p style={{ margin: 0, color: 'var(--mantine-color-dimmed)' }}>
            {t('platform.user.roles_above', { count: form.values.roles.length })}
          </p>
        )}
        {(isAbove || session.claims?.sub.administrator) && (
          <SwitchField form={form} name="administrator" description={text('administrator_hint')} />
        )}
        {isAbove && (
          <SwitchField
            form={form}
            name="superadmin"
            description={text('superadmin_hint')}
            isDisabled={isSelf}
          />
        )}
      </FormSection>
    </RecordForm>
  )
}

/** Removes an empty password, to keep the stored one. */
function withoutEmptyPassword<V extends { password?: string }>(
  values: V,
): Omit<V, 'password'> & { password?: string } {
  const { password, ...rest } = values
  return password ? { ...rest, password } : rest
}

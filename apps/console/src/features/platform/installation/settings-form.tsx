import { queryKeys } from '@emma/client/query-keys.ts'
import { readSystemSettings } from '@emma/contract/actions/system-settings.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Group } from '@mantine/core'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { storeAnswer } from '../../../shell/resource/query-client.ts'
import { AccountForm } from '../account/account-form.tsx'

type Save = UseMutationResult<unknown, Error, void>

/** Mutation that saves a part of the settings; the response contains all settings. */
export function useSettingsSave(save: () => Promise<unknown>): Save {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: save,
    onSuccess: async settings => {
      await storeAnswer(queryKeys.action(readSystemSettings, {}), settings)
      notify.success(t('platform.own.saved'))
    },
  })
}

interface SettingsFormProps {
  save: Save
  children: ReactNode
  /** Buttons beside "Save". */
  actions?: ReactNode
}

/** Form of one settings section with its save button. */
export function SettingsForm({ save, children, actions }: SettingsFormProps): ReactNode {
  const { t } = useTranslation()
  return (
    <AccountForm noValidate error={save.error} onSubmit={() => save.mutate()}>
      {children}
      <Group>
        <Button type="submit" loading={save.isPending}>
          {t('platform.own.save')}
        </Button>
        {actions}
      </Group>
    </AccountForm>
  )
}

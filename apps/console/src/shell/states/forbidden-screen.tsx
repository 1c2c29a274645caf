import type { Permission } from '@emma/contract/permissions.ts'
import { Code } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { StatePage } from './state-page.tsx'

/** Shown without the permissions of a route (R010); lists the missing ones. */
export function ForbiddenScreen({ missing = [] }: { missing?: readonly Permission[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <StatePage icon={<IconLock size={28} />} title={t('state.forbidden_title')}>
      <p>{t('state.forbidden_text')}</p>
      {missing.map(permission => (
        <Code key={permission} mx={4}>
          {permission}
        </Code>
      ))}
    </StatePage>
  )
}

import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './state-page.module.css'

interface StatePageProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Layout of a page that only shows a state: icon, title, explanation and an action. */
export function StatePage({ icon, title, children, action }: StatePageProps): ReactNode {
  return (
    <Stack className={classes.page} align="center" gap="sm">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        {icon}
      </ThemeIcon>
      <Title order={1} ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" component="div" maw={460}>
        {children}
      </Text>
      {action}
    </Stack>
  )
}

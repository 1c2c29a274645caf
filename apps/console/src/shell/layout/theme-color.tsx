import { useComputedColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { brand } from './brand.ts'

/** Sets the browser's theme color to the brand's color for the current color scheme (R005). */
export function ThemeColor(): null {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', brand.themeColors[scheme])
  }, [scheme])
  return null
}

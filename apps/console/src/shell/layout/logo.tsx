import type { Brand } from '@emma/contract/brands.ts'
import { useComputedColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './logo.module.css'

interface LogoProps {
  brand: Brand
  /** Shows only the icon, for narrow places. */
  compact?: boolean
}

/** The brand's logo: its image for the light or dark color scheme, or its text logo (R003, R004). */
export function Logo({ brand, compact = false }: LogoProps): ReactNode {
  const scheme = useComputedColorScheme('light')
  if (compact) return <img className={classes.mark} src={`/favicon-${brand.key}.svg`} alt={brand.shortName} />
  if (!brand.textLogo) {
    return <img className={classes.image} src={`/logo-${brand.key}-${scheme}.svg`} alt={brand.shortName} />
  }
  const [first, second] = brand.textLogo
  return (
    <span className={classes.text}>
      <img className={classes.mark} src={`/favicon-${brand.key}.svg`} alt="" />
      <span className={classes.words}>
        <span className={classes.first}>{first}</span>
        <span className={classes.second}>{second}</span>
      </span>
    </span>
  )
}

// `npm run build`: console and server, if they are older than their sources. `npm run build server`: that one alone.
import { build, modernNode } from './install.mjs'

const [, , ...names] = process.argv
for (const name of names.length > 0 ? names : ['console', 'server']) build(modernNode(), name)

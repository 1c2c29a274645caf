import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { importAgain } from '../vite-import-again.ts'

export default defineConfig({ root: import.meta.dirname, plugins: [react(), importAgain()] })

// npm run dev: the page with hot reload; its /api goes to a running `npm start` (PORT, default 3000).
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const server = await createServer({ root: fileURLToPath(new URL('..', import.meta.url)) })
await server.listen()
server.printUrls()

// What a start is measured against: Fastify with one route and one connection to the same database.
import fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const app = fastify()
app.get('/', async () => (await pool.query('select 1 as one')).rows)
await pool.query('select 1')
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`ready at ${address}\n`)

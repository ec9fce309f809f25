// Runs in the browser beside the pages, once one has signed in there: without a network it says so in our words. It keeps
// nothing, neither data nor code, so that nobody sees what is old. Must import no module of the pages, so that it stays one file.
import { OFFLINE_PAGE } from 'virtual:offline'

type Waiting = Event & { waitUntil: (work: Promise<unknown>) => void }
type Fetching = Waiting & {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith: (answer: Promise<Response>) => void
}
type Worker = {
  skipWaiting: () => Promise<void>
  clients: { claim: () => Promise<void> }
  registration: { navigationPreload: { enable: () => Promise<void> } }
}

const worker = globalThis as unknown as Worker

addEventListener('install', event => (event as Waiting).waitUntil(worker.skipWaiting()))

addEventListener('activate', event =>
  (event as Waiting).waitUntil(
    // The page is asked for while this starts.
    Promise.all([worker.clients.claim(), worker.registration.navigationPreload.enable()]),
  ),
)

addEventListener('fetch', event => {
  const navigation = event as Fetching
  if (navigation.request.mode === 'navigate') navigation.respondWith(answer(navigation))
})

async function answer({ request, preloadResponse }: Fetching): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return new Response(OFFLINE_PAGE, {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'`,
      },
    })
  }
}

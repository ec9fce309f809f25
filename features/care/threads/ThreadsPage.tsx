import { ThreadList } from './ThreadList.tsx'

/** What the shops of one's own agency say (D3 §2 Feedback). */
export default function ThreadsPage() {
  return <ThreadList which="own" />
}

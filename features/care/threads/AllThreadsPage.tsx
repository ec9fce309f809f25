import { ThreadList } from './ThreadList.tsx'

/** What lies with the vendor: passed on by agents, of its own shops, and older feedback (D3 §2, §6). */
export default function AllThreadsPage() {
  return <ThreadList which="all" />
}

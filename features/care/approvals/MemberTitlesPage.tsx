import { ApprovalList } from './ApprovalList.tsx'

/** Requests for a member title (D2 §2 screen 7). */
export default function MemberTitlesPage() {
  return <ApprovalList kind="memberTitle" />
}

import { ApprovalList } from './ApprovalList.tsx'

/** Requests for an SMS signature (D2 §2 screen 5). */
export default function SignaturesPage() {
  return <ApprovalList kind="signature" />
}

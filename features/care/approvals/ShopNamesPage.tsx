import { ApprovalList } from './ApprovalList.tsx'

/** Requests for a store name (D2 §2 screen 6). */
export default function ShopNamesPage() {
  return <ApprovalList kind="shopName" />
}

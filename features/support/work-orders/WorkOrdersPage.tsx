import { WorkOrderList } from './WorkOrderList.tsx'

/** What one's own agency asks of the vendor (D3 §2, §7). */
export default function WorkOrdersPage() {
  return <WorkOrderList which="own" />
}

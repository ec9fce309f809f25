"""Makes the tables of this folder with programs that are not ours: openpyxl, XlsxWriter, xlwt, Gnumeric and LibreOffice.
They stand here as files since few machines have all of these; `python3 make.py FOLDER` makes them anew."""

import datetime
import pathlib
import subprocess
import sys

import openpyxl
import xlsxwriter
import xlwt

HEADS = ["品名", "条形码", "零售价", "生产日期"]
DAY = datetime.date(2026, 3, 5)
folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent


def with_openpyxl():
    book = openpyxl.Workbook()
    notes = book.active
    notes.title = "填写说明"
    notes["A1"] = "请先阅读"
    sheet = book.create_sheet("商品")
    sheet.append(HEADS)
    sheet.append(["茉莉花茶", 690123456789, 19.9, DAY])
    sheet["B2"].number_format = "0000000000000"
    sheet["C2"].number_format = "0.00"
    sheet.append(["公式", "=B2", "=1/0", "=TODAY()"])
    lists = book.create_sheet("字典")
    lists["A1"] = "高级版"
    lists.sheet_state = "hidden"
    book.save(folder / "openpyxl.xlsx")


def with_xlsxwriter():
    book = xlsxwriter.Workbook(str(folder / "xlsxwriter.xlsx"))
    sheet = book.add_worksheet("商品")
    bold = book.add_format({"bold": True})
    sheet.merge_range("A1:D1", "2026 年商品表", bold)
    sheet.write_row("A2", HEADS, bold)
    sheet.merge_range("A3:A4", "礼盒")
    sheet.write_row("B3", ["6901234567892", 2])
    sheet.write_datetime("D3", datetime.datetime(2026, 3, 5), book.add_format({"num_format": "yyyy/m/d"}))
    sheet.write_row("B4", ["6901234567908", 3])
    sheet.write_rich_string("A5", "碧螺", bold, "春")
    sheet.write_row("B5", ["6901234567915", 4])
    sheet.write_row("A6", ["看不见", "6901234567922", 5])
    sheet.set_row(5, None, None, {"hidden": True})
    sheet.write_formula("C7", "=NA()", None, "#N/A")
    sheet.write_row("A7", ["龙井", "6901234567939"])
    book.close()


def with_xlwt():
    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet("商品")
    for column, head in enumerate(HEADS):
        sheet.write(0, column, head)
    zeros = xlwt.easyxf(num_format_str="0000000000000")
    price = xlwt.easyxf(num_format_str="0.00")
    day = xlwt.easyxf(num_format_str="yyyy-mm-dd")
    for row, name in enumerate(["茉莉花茶", "看不见"], start=1):
        sheet.write(row, 0, name)
        sheet.write(row, 1, 690123456789, zeros)
        sheet.write(row, 2, 19.9, price)
        sheet.write(row, 3, DAY, day)
    sheet.row(2).hidden = True
    book.save(str(folder / "xlwt.xls"))


def plain(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "商品"
    sheet.append(HEADS)
    sheet.append(["茉莉花茶", "6901234567892", 19.9, DAY])
    sheet["C2"].number_format = "0.00"
    book.save(path)


GNUMERIC = {
    "gnumeric.xlsx": "Gnumeric_Excel:xlsx",
    "gnumeric-biff8.xls": "Gnumeric_Excel:excel_biff8",
    "gnumeric.ods": "Gnumeric_OpenCalc:odf",
    "gnumeric.html": "Gnumeric_html:html40",
    "gnumeric.dif": "Gnumeric_dif:dif",
    "gnumeric.gnumeric": "Gnumeric_XmlIO:sax",
}
LIBRE = {
    "libreoffice.xlsx": "xlsx:Calc MS Excel 2007 XML",
    "libreoffice.xls": "xls:MS Excel 97",
    "libreoffice.ods": "ods:calc8",
    "libreoffice.html": "html:HTML (StarCalc)",
}


def main():
    with_openpyxl()
    with_xlsxwriter()
    with_xlwt()
    source = folder / "source.xlsx"
    plain(source)
    for name, kind in GNUMERIC.items():
        subprocess.run(["ssconvert", "-T", kind, str(source), str(folder / name)], check=True)
    for name, kind in LIBRE.items():
        out = folder / "out"
        ending = kind.split(":", 1)[0]
        subprocess.run(["soffice", "--headless", "--convert-to", kind, "--outdir", str(out), str(source)], check=True)
        (out / f"source.{ending}").replace(folder / name)
    source.unlink()


main()

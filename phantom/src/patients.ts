/** A patient as in a DICOM file: PatientName as a PN value, PatientBirthDate as YYYYMMDD. */
export type Person = {
  PatientName: string;
  PatientID: string;
  PatientBirthDate: string;
  PatientSex: 'M' | 'F' | 'O';
};

const person = (
  PatientID: string,
  PatientName: string,
  PatientBirthDate: string,
  PatientSex: Person['PatientSex'],
): Person => ({ PatientName, PatientID, PatientBirthDate, PatientSex });

/** Fictional patients of all ages, with names in several scripts and of several components. */
export const patients = [
  person('DEMO-100214', 'Yamada^Tarō=山田^太郎=やまだ^たろう', '19580317', 'M'),
  person('DEMO-100351', 'García López^María José', '19720904', 'F'),
  person('DEMO-100478', 'Müller^Jörg', '19491130', 'M'),
  person('DEMO-100522', 'Okonkwo^Chiamaka', '19890612', 'F'),
  person('DEMO-100693', 'Παπαδοπούλου^Ελένη', '19660128', 'F'),
  person('DEMO-100704', 'الخطيب^ليلى', '19940821', 'F'),
  person('DEMO-100819', 'Kim^Minjun=金^民俊=김^민준', '20011005', 'M'),
  person('DEMO-100936', 'Иванова^Мария^Сергеевна', '19541216', 'F'),
  person('DEMO-101047', "O'Brien^Seán^Patrick^^", '19800229', 'M'),
  person('DEMO-101158', 'Wang^Xiaomei=王^小梅', '19770703', 'F'),
  person('DEMO-101263', 'Nguyễn^Thị Hoa', '19680519', 'F'),
  person('DEMO-101370', 'כהן^נועה', '19910411', 'F'),
  person('DEMO-101485', 'Sharma^Arjun', '20190214', 'M'),
  person('DEMO-101592', 'dos Santos Silva^João^^^Filho', '19350725', 'M'),
] as const;

/** A student or teacher. */
export interface Person {
  id: number;
  name: string;
  email: string;
  phone_number: string;
  platform: 'student' | 'teacher';
  gauth_type: 'email' | 'google' | 'facebook' | 'apple' | 'phone_number';
  solde: number;
  photo: string;
  address: string;
  city: string;
  country: string;
  about_me: string;
  status: 'active' | 'banned';
  level_study: string | null;
  subjects_interest: string;
  domains: string;
  experience: number;
  availability: string;
  bio: string | null;
  verified: '0' | '1';
  created_at: string;
  updated_at: string;
}

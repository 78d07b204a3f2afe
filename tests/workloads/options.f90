! SPDX-License-Identifier: GPL-2.0-or-later
! options.f90 - options of the Fortran programs
module options
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
contains
    ! The whole number behind `name`, or `value` if it is not given.
    integer function option(name, value)
        character(*), intent(in) :: name
        integer, intent(in) :: value
        character(32) :: text
        integer :: i, status

        option = value
        do i = 1, command_argument_count() - 1, 2
            call get_command_argument(i, text)
            if (text /= name) cycle
            call get_command_argument(i + 1, text)
            read (text, *, iostat=status) option
            if (status /= 0 .or. option < 1) then
                write (error_unit, *) 'bad value of ', name
                error stop 2
            end if
        end do
    end function
end module

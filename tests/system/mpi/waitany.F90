! SPDX-License-Identifier: GPL-2.0-or-later
! waitany.F90 - the farm of waitany.c, in Fortran, with persistent receives
program waitany
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: tasks = 30
  integer :: rank, size, error

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  if (rank == 0) then
    call lead(size - 1)
  else
    call serve()
  end if
  call MPI_Finalize(error)

contains

  subroutine lead(workers)
    integer, intent(in) :: workers
    integer :: results(workers), w, given, done, running
#ifdef F08
    type(MPI_Request) :: requests(workers)
#else
    integer :: requests(workers)
#endif

    do w = 1, workers
      call MPI_Recv_init(results(w), 1, MPI_INTEGER, w, 2, MPI_COMM_WORLD, &
                         requests(w), error)
      call MPI_Start(requests(w), error)
    end do
    given = 0
    done = 0
    running = workers
    do while (running > 0)
      call MPI_Waitany(workers, requests, w, MPI_STATUS_IGNORE, error)
      done = done + results(w)
      if (given == tasks) then
        call MPI_Send(-1, 1, MPI_INTEGER, w, 1, MPI_COMM_WORLD, error)
        running = running - 1
        cycle
      end if
      call MPI_Start(requests(w), error)
      call MPI_Send(given, 1, MPI_INTEGER, w, 1, MPI_COMM_WORLD, error)
      given = given + 1
    end do
    do w = 1, workers
      call MPI_Request_free(requests(w), error)
    end do
    print '(a, i0)', 'done ', done
  end subroutine lead

  subroutine serve()
    integer :: task, result
#ifdef F08
    type(MPI_Request) :: request
#else
    integer :: request
#endif

    result = 0
    do
      call MPI_Irecv(task, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, request, error)
      call MPI_Send(result, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, error)
      call MPI_Wait(request, MPI_STATUS_IGNORE, error)
      if (task < 0) return
      result = 1
    end do
  end subroutine serve
end program waitany
